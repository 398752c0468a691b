// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium
  import ProsceniumPrimitives

  /// Gives slices to other nodes while this one goes on: their scenes go to the background, are
  /// captured and disconnected, everything is committed, then the owner changes, and clients are
  /// told where to go on.
  final class SliceGiving: Sendable {
    private let node: NodeParts
    private let life: NodeLife
    private let next = Guarded<SliceBalance.Move?>(nil)
    private let bell = NodeBell()

    init(_ node: NodeParts, _ life: NodeLife) {
      self.node = node
      self.life = life
    }

    /// How long it is waited at most until the receiver serves what it was given, before it is
    /// given more.
    private static let patience = Duration.seconds(2)
    /// How long it is waited at most until the receiver knows what clients need that are to go on
    /// there.
    private static let announcementLimit = Duration.milliseconds(500)
    /// How many bytes clients may need of all the slices that are given at once.
    private static let sizeLimit = 8 << 20
    /// How large what is told of them at a time may become, in bytes.
    private static let chunkSize = 256 << 10
    /// How long it is waited without links, by which the receiver would say so.
    private static let pause = Duration.milliseconds(250)

    /// Lets slices be given away, after those that are on their way.
    func order(_ move: SliceBalance.Move) {
      next.withLock { $0 = move }
      bell.ring()
    }

    /// Lets the task end that gives slices.
    func wake() { bell.ring() }

    /// Gives what is ordered, until it is cancelled.
    func run(as number: Int32) async {
      // What was ordered under an earlier number is of no account.
      next.withLock { $0 = nil }
      while await bell.wait() {
        let move = next.withLock { next in
          defer { next = nil }
          return next
        }
        guard let move else { continue }
        await give(move, as: number)
      }
    }

    private func give(_ move: SliceBalance.Move, as number: Int32) async {
      let leaving = node.duties.ledger.withLock { $0.release(upTo: move.count) }
      if leaving.isEmpty { return }
      let begin = node.elapsed()
      node.links?.given.expect(leaving, by: move.receiver)
      let sessions = await giveAway(leaving, to: move.receiver, as: number)
      // Whatever comes of it, the next map tells whose the slices are.
      node.store.end(leaving)
      node.duties.ledger.withLock { $0.finishLeaving(leaving) }
      life.bell.ring()
      guard let sessions else { return }
      let isServed = await waitUntilServed()
      let time = node.elapsed() - begin
      if isServed { node.metrics.noteGift(time) }
      node.log.info(
        "slices were given to another node",
        metadata: [
          "node": "\(move.receiver)", "slices": "\(leaving.count)", "sessions": "\(sessions)",
          "time": "\(time)", "served": "\(isServed)",
        ])
    }

    /// Lets the receiver take up what it was given, before it is given more.
    private func waitUntilServed() async -> Bool {
      if let links = node.links { return await links.given.wait(within: Self.patience, node.clock) }
      // It reads the rows of some thousand sessions in that time.
      try? await node.clock.sleep(for: Self.pause)
      return false
    }

    /// Gives slices away; returns how many sessions they had, or `nil` if they were not given.
    private func giveAway(
      _ leaving: Set<Int>, to receiver: Int32, as number: Int32
    ) async -> Int? {
      do {
        node.links?.content.beginDeparture(of: leaving)
        defer { node.links?.content.endDeparture() }
        // What the store refuses for good is as it was before.
        let (sessions, lines) = try await node.slices.handOver {
          leaving.contains(node.duties.slice(of: $0))
        }
        var isGiven = false
        defer { finish(leaving, sessions, lines, givenTo: isGiven ? receiver : nil) }
        await announce(leaving, sessions, to: receiver)
        isGiven = try await node.authority.handOver(
          leaving.sorted(), from: number, to: receiver)
        return isGiven ? sessions.count : nil
      } catch {
        node.log.warning("slices could not be given away", metadata: ["error": "\(error)"])
        return nil
      }
    }

    /// Tells clients where to go on, and takes note of what they need if that is here.
    private func finish(
      _ leaving: Set<Int>, _ sessions: HandedOverSessions, _ lines: ClientMoves.Lines,
      givenTo receiver: Int32?
    ) {
      let (tenures, member) = node.duties.ledger.withLock { ledger in
        (
          leaving.reduce(into: [:]) { $0[$1] = ledger.tenure(of: $1) },
          receiver.flatMap { ledger.members[$0] }
        )
      }
      // If it is not known what has become of them, the next map tells whose they are.
      if receiver == nil { node.kept.keep(tenures, sessions) }
      node.slices.endLines(of: lines, at: member?.address)
    }

    /// Tells the receiver which scenes it is to bring back and what clients need, before it can own
    /// the slices.
    private func announce(
      _ leaving: Set<Int>, _ sessions: HandedOverSessions, to receiver: Int32
    ) async {
      guard let links = node.links else { return }
      let epochs = node.duties.ledger.withLock { $0.nextEpochs(of: leaving) }
        .sorted { $0.key < $1.key }.map { SliceEpoch(slice: $0.key, epoch: $0.value) }
      // The most recently active ones, as many as the receiver remembers. Without any as well: what
      // was told of a gift that failed counts no more.
      let connected = Array(sessions.connected.suffix(ReturningScenes.limit))
      let lines = Self.chunks(of: sessions.lines)
      let items = lines.map { LinkItem.clientLines(epochs: epochs, $0) }
      for item in [.handingOver(epochs: epochs, connected)] + items {
        links.given.announce()
        links.send(item, to: receiver)
      }
      if lines.isEmpty { return }
      // Clients would get everything again otherwise.
      await links.given.waitUntilKnown(within: Self.announcementLimit, node.clock)
    }

    /// What clients need, in parts of a bounded size.
    private static func chunks(of lines: [HandedOverLine]) -> [[HandedOverLine]] {
      var (chunks, size, left) = ([[HandedOverLine]](), chunkSize, sizeLimit)
      for line in lines.prefix(ReturningScenes.limit) {
        let line = line.limited(to: min(HandedOverLine.sizeLimit, left))
        if size + line.size > chunkSize {
          chunks.append([])
          size = 0
        }
        chunks[chunks.count - 1].append(line)
        size += line.size
        left -= line.size
      }
      return chunks
    }
  }
#endif
