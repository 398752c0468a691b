// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// A client that is attached to its session wherever that is served: it sends numbered input, and
  /// looks whether it is shown each number once and in order.
  final class AttachedClient: Sendable {
    /// What it knows.
    struct Book: Sendable {
      /// How many inputs it sends.
      var limit = Int.max
      /// The number of the last input.
      var sent = 0
      var acknowledged = 0
      /// The last number that it was shown; nil if it shows nothing.
      var shown: Int?
      var lastSeen: FrameNumber?
      /// How often it was told that what it shows is void.
      var resets: [OutputReset] = []
      /// How often it went on in another place or with another line.
      var resumed = 0
      /// How often it was told where to go on.
      var moves = 0
      /// The nodes that it was attached to.
      var nodes: Set<String> = []
      var epochs: Set<UInt32> = []
      /// When its last line has ended.
      var lastEnd: Duration?
    }

    private let world: ClusterWorld
    let session: SessionIdentifier
    let number: Int
    private let identifier: ClientIdentifier
    /// Whether it takes what it is told.
    private let reads = Guarded(true)
    private let book = Guarded(Book())
    private let attached = Guarded(false)
    /// Where it was told that the session is.
    private let address: Guarded<String>

    init(
      _ world: ClusterWorld, _ session: SessionIdentifier, number: Int, at address: String
    ) {
      self.world = world
      self.session = session
      self.number = number
      identifier = ClientIdentifier(high: 1, low: UInt64(number))
      self.address = Guarded(address)
    }

    var result: Book { book.withLock { $0 } }

    /// Whether it has a line.
    var isAttached: Bool { attached.withLock { $0 } }

    /// Lets it take what it is told from now on.
    func read() { reads.withLock { $0 = true } }

    /// Lets it take nothing from now on.
    func stopReading() { reads.withLock { $0 = false } }

    /// Lets it send nothing new, and end when all is acknowledged and shown.
    func finish() {
      book.withLock { $0.limit = $0.sent }
    }

    /// Keeps a line until it is done, or the world is over.
    func run() async {
      while !world.isOver, !Task.isCancelled, !isDone {
        if let (line, life) = await attach() {
          attached.withLock { $0 = true }
          await talk(over: line, life)
          attached.withLock { $0 = false }
          book.withLock { $0.lastEnd = world.now }
        }
        // As the protocol wants it.
        await world.sleep(.milliseconds(100 + world.number(below: 200)))
      }
    }

    private var isDone: Bool {
      book.withLock { $0.acknowledged == $0.limit && $0.shown == $0.limit }
    }

    private func find(_ finding: String) {
      world.tell { [number] in $0.find("client \(number): \(finding)") }
    }

    // MARK: - Lines

    private func attach() async -> (SceneClient, NodeLife)? {
      let name = address.withLock { $0 }
      let lives = world.lives.filter { !$0.isDead && $0.running != nil }
      // One whose node has gone asks any other.
      let life = lives.first { $0.name == name } ?? lives.first
      guard let life, let node = life.running else { return nil }
      let known = result
      do throws(SceneError) {
        let line = try await node.application.attach(
          to: session, as: identifier, lastSeen: known.lastSeen,
          nextInput: UInt64(known.sent + 1))
        world.note("client \(number) is attached to \(life.name), after \(line.lastInput)")
        welcome(line, life)
        return (line, life)
      } catch {
        world.note("client \(number) is refused by \(life.name): \(error)")
        // As a load balancer does that does not know.
        let other = error.address ?? lives[world.number(below: lives.count)].name
        address.withLock { $0 = other }
        return nil
      }
    }

    private func welcome(_ line: SceneClient, _ life: NodeLife) {
      let last = Int(line.lastInput)
      let wrong = book.withLock { book -> String? in
        book.nodes.insert(life.name)
        book.epochs.insert(UInt32(line.epoch >> 32))
        if let reset = line.reset {
          if book.lastSeen != nil { book.resets.append(reset) }
          (book.shown, book.lastSeen) = (nil, nil)
        } else {
          book.resumed += 1
        }
        if last < book.acknowledged { return "\(book.acknowledged) is lost, \(last) is known" }
        if last > book.sent { return "\(last) was never sent" }
        book.acknowledged = last
        return nil
      }
      if let wrong { find(wrong) }
      let epoch = life.running?.epoch(of: session)
      if epoch != nil, epoch != UInt32(line.epoch >> 32) {
        find("frames have epoch \(line.epoch >> 32), the slice has \(epoch ?? 0)")
      }
    }

    /// Says and hears over a line until it ends.
    private func talk(over line: SceneClient, _ life: NodeLife) async {
      var next = result.acknowledged + 1
      while !world.isOver, !Task.isCancelled {
        // What has come.
        while reads.withLock({ $0 }) {
          switch await line.take(orNotify: {}) {
          case .output(.ended(let reason)):
            world.note("client \(number) is told \(reason)")
            if case .moved(let other) = reason {
              book.withLock { $0.moves += 1 }
              if let other { address.withLock { $0 = other } }
            }
            return
          case .output(let output):
            if life.running?.letsScenesRun == false { find("\(life.name) has to pause: \(output)") }
            take(output, line)
            continue
          case .over: return
          case .nothing: break
          }
          break
        }
        if isDone { return line.detach() }
        let known = result
        if next <= known.limit, next <= known.acknowledged + 64, await send(next, over: line) {
          next += 1
        }
        await world.sleep(.milliseconds(1 + world.number(below: 20)))
      }
    }

    /// Sends an input; returns whether the line has taken it.
    private func send(_ input: Int, over line: SceneClient) async -> Bool {
      book.withLock { $0.sent = max($0.sent, input) }
      do throws(SceneError) {
        try await line.send(SceneMessage("\(number) \(input)"), number: UInt64(input))
        return true
      } catch {
        return false
      }
    }

    private func take(_ output: SceneClient.Output, _ line: SceneClient) {
      let wrong = book.withLock { book -> String? in
        switch output {
        case .acknowledged(let input): book.acknowledged = max(book.acknowledged, Int(input))
        case .reset(let reset):
          book.resets.append(reset)
          (book.shown, book.lastSeen) = (nil, nil)
        case .frame(let frame): return show(frame, &book)
        case .ended: break
        }
        return nil
      }
      if let wrong { find(wrong) }
      if case .frame(let frame) = output, frame.number.count % 4 == 0 {
        do throws(SceneError) {
          try line.acknowledge(frame.number)
        } catch {
          find("\(error)")
        }
      }
    }

    private func show(_ frame: SceneFrame, _ book: inout Book) -> String? {
      defer { book.lastSeen = frame.number }
      if let seen = book.lastSeen, frame.number.count != seen.count + 1 {
        return "frame \(frame.number.count) came after \(seen.count)"
      }
      let text = frame.content.string.prefix { $0 != " " }
      if text.hasPrefix("=") {
        book.shown = ClientCounts(String(text.dropFirst()))?.numbers[number] ?? 0
        return nil
      }
      let words = text.split(separator: ":").compactMap { Int($0) }
      guard words.count == 2, words[0] == number else { return nil }
      defer { book.shown = words[1] }
      return words[1] == (book.shown ?? -1) + 1
        ? nil : "\(words[1]) is shown after \(book.shown.map { "\($0)" } ?? "nothing")"
    }
  }
#endif
