// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import NIOCore
  import NIOWebSocket
  import Proscenium
  import ProsceniumLoad
  import ProsceniumPrimitives

  /// The clients of one event loop, and what they do: input at a rate, lines that break, tabs that
  /// hide.
  ///
  /// It is used on its event loop alone.
  final class ClientLoop {
    /// How the clients of one loop behave; rates are a second, of all of them.
    struct Plan: Sendable {
      var clients: Range<Int>
      var inputs = 0.0
      var breaks = 0.0
      var hides = 0.0
      var areHidden = false
      var isEcho = false
      var seed: UInt64
    }

    /// How often it looks what is due.
    private static let period = TimeAmount.milliseconds(5)
    /// How long a tab stays hidden.
    private static let hiddenTime = TimeAmount.seconds(5)

    let eventLoop: any EventLoop
    let plan: Plan
    /// The hosts, those included that have ended.
    private(set) var hosts: [HostPlace]
    /// The place of the host that was killed or stopped last, while that is an outage.
    private(set) var struckHost: Int?
    var tally = ClientTally()
    var attached = 0
    /// How many clients the outage is one of.
    var struck = 0
    /// How many of them have had a line since.
    var returned = 0
    private(set) var isOver = false
    /// What frames are masked with: the host's end of them is what counts.
    let mask: WebSocketMaskingKey = [0x37, 0xFA, 0x21, 0x3D]

    private(set) var clients: [LoadClient] = []
    private var random: SplitMix64
    private var nextClient = 0
    private var begun: Int64?
    private var issued = (inputs: 0, breaks: 0, hides: 0)
    /// The moments between which inputs count as those of an outage; open while it lasts.
    private var outage: (begin: Int64, end: Int64?) = (.max, nil)
    private var timer: RepeatedTask?

    init(_ eventLoop: any EventLoop, _ plan: Plan, hosts: [HostPlace], cookie: (Int) -> String) {
      self.eventLoop = eventLoop
      self.plan = plan
      self.hosts = hosts
      random = SplitMix64(seed: plan.seed &+ UInt64(plan.clients.lowerBound))
      clients = plan.clients.map { LoadClient($0, self, cookie: cookie($0)) }
    }

    /// The time, in nanoseconds.
    var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    // MARK: - Phases

    /// Opens the connections, a few in each turn.
    func connect(perTurn: Int = 50, from first: Int = 0) {
      for client in clients[first...].prefix(perTurn) { client.connect() }
      let next = first + perTurn
      guard next < clients.count, !isOver else { return }
      let bound = NIOLoopBound(self, eventLoop: eventLoop)
      eventLoop.scheduleTask(in: .milliseconds(10)) {
        bound.value.connect(perTurn: perTurn, from: next)
      }
    }

    /// Begins to send.
    func begin() {
      begun = now
      let bound = NIOLoopBound(self, eventLoop: eventLoop)
      timer = eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.period) { _ in
        bound.value.turn()
      }
    }

    /// Sends no more.
    func stop() {
      timer?.cancel()
      timer = nil
    }

    /// Has each client ask for everything again.
    func forget() {
      for client in clients { client.forget() }
    }

    func end() {
      stop()
      isOver = true
      for client in clients { client.close() }
    }

    // MARK: - Hosts

    /// A host can be dialled, at another port than before if there was one of that name.
    func know(_ place: HostPlace) {
      if let index = hosts.firstIndex(where: { $0.name == place.name }) {
        hosts[index] = place
      } else {
        hosts.append(place)
      }
    }

    /// What the clients of a host see from now on is an outage: it is killed or stopped.
    ///
    /// - Parameter name: The name of the host; all of them unless given.
    func beginOutage(of name: String? = nil) {
      outage = (now, nil)
      (struck, returned) = (0, 0)
      struckHost = hosts.firstIndex { $0.name == name }
      for client in clients {
        client.forgetOutage()
        // One without a line may be on its way to any host.
        if name == nil || client.host == struckHost || !client.isAttached { client.strike() }
      }
    }

    /// The host that was stopped goes on, without the sessions that it had.
    func voidLines() {
      for client in clients where client.host == struckHost { client.voidLine() }
    }

    func endOutage() {
      outage.end = now
      struckHost = nil
      for client in clients { client.endOutage() }
    }

    // MARK: - What is due

    private func turn() {
      guard let begun else { return }
      let elapsed = Double(now - begun) / 1e9
      while issued.inputs < Int(elapsed * plan.inputs) {
        issued.inputs += 1
        let due = begun + Int64(Double(issued.inputs) / plan.inputs * 1e9)
        clients[nextClient].act(due: due)
        nextClient = (nextClient + 1) % clients.count
      }
      while issued.breaks < Int(elapsed * plan.breaks) {
        issued.breaks += 1
        drawn.breakLine(byReset: issued.breaks.isMultiple(of: 2))
      }
      while issued.hides < Int(elapsed * plan.hides) {
        issued.hides += 1
        hide(drawn)
      }
    }

    private var drawn: LoadClient { clients[random.number(below: clients.count)] }

    private func hide(_ client: LoadClient) {
      client.setVisible(false)
      let bound = NIOLoopBound(client, eventLoop: eventLoop)
      eventLoop.scheduleTask(in: Self.hiddenTime) { bound.value.setVisible(true) }
    }

    /// How long a client waits before it tries again, in milliseconds: as pages do.
    func pause(_ attempt: Int) -> Int64 {
      if attempt <= 1 { return 100 + Int64(random.number(below: 201)) }
      let limit = min(300 << min(attempt - 2, 6), 10_000)
      return Int64(random.number(below: limit + 1))
    }

    // MARK: - What was seen

    /// Records the latency of an input, of a client whose host was killed or stopped or not.
    func record(_ input: ClientBook.Pending, at now: Int64, isStruck: Bool) {
      tally.acknowledged += 1
      let span = Int(max(now - input.due, 0))
      let isInOutage =
        isStruck && outage.begin != .max && (outage.end.map { input.due <= $0 } ?? true)
        && now >= outage.begin
      if isInOutage {
        tally.outage.record(nanoseconds: span)
      } else {
        switch input.delay {
        case nil: tally.steady.record(nanoseconds: span)
        case .lost: tally.interrupted.record(nanoseconds: span)
        case .moved: tally.moved.record(nanoseconds: span)
        }
      }
    }

    /// What was seen since it was asked for last, and how far the clients are.
    func takeReading() -> ClientReading {
      defer { tally = ClientTally() }
      for client in clients { client.checkSilence() }
      let oldest = clients.compactMap { $0.book.pending.first?.due }.min()
      return ClientReading(
        tally: tally, attached: attached, struck: struck, returned: returned,
        attachedAt: clients.reduce(into: [:]) { counts, client in
          if client.isAttached { counts[hosts[client.host].name, default: 0] += 1 }
        },
        pending: clients.reduce(0) { $0 + $1.book.pending.count },
        oldestPending: oldest.map { Double(now - $0) / 1e9 },
        unfinished: clients.lazy.filter { $0.book.shown == nil }.count)
    }

    /// What is wrong at the end.
    func findings() -> [String] {
      clients.compactMap { client in
        client.book.finding.map { "client \(client.number): \($0)" }
      }
    }
  }

  /// How far the clients of a loop are.
  struct ClientReading: Sendable {
    var tally = ClientTally()
    var attached = 0
    /// How many clients the last outage is one of, and how many of them have had a line since.
    var struck = 0
    var returned = 0
    /// How many clients have a line to each host, by the host's name.
    var attachedAt: [String: Int] = [:]
    /// Inputs that are not acknowledged.
    var pending = 0
    /// For how long the oldest of them has been due, in seconds.
    var oldestPending: Double?
    /// Clients whose page has shown nothing yet.
    var unfinished = 0

    mutating func add(_ other: ClientReading) {
      tally.add(other.tally)
      attached += other.attached
      struck += other.struck
      returned += other.returned
      attachedAt.merge(other.attachedAt) { $0 + $1 }
      pending += other.pending
      oldestPending = [oldestPending, other.oldestPending].compactMap { $0 }.max()
      unfinished += other.unfinished
    }
  }
#endif
