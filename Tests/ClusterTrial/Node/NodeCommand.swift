// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Dispatch
  import Foundation
  import Logging
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import ProsceniumSealing

  /// One node of a trial, in a process of its own that the trial stops and kills.
  struct NodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "node", abstract: "Is one node of a trial.", shouldDisplay: false)

    @Argument(help: "The address of the database.")
    var address: String

    @Option(help: "What the node is called.")
    var name: String

    @Option(help: "The file that its history is added to.")
    var history: String

    @Option(help: "The lease in seconds.")
    var lease = 1.0

    @Option(help: "How long it waits for others at a cold start, in seconds.")
    var settle = 0.5

    @Option(help: "How long the nodes are the same until slices move to those that have fewer.")
    var balance = 2.0

    @Option(help: "How many sessions it makes when it serves.")
    var create = 0

    @Option(help: "How many of its sessions it tells something at once.")
    var callers = 8

    @Option(help: "The address of this machine that it listens at for other nodes.")
    var host = "127.0.0.1"

    @Option(help: "How many send to sessions of all nodes at once.")
    var tellers = 2

    @Option(help: "The pause of a caller, in milliseconds.")
    var pause = 5

    @Option(help: "After how many deaths of its owners a slice is parked.")
    var deathLimit = Int.max

    @Flag(help: "Make one of its sessions end each process that serves it.")
    var poison = false

    @Flag(help: "Connect each session once, write down its count, and end.")
    var audit = false

    func run() async throws {
      let sessions = TrialSessions(nextTo: history)
      let history = try HistoryWriter(history)
      let authority = MutedAuthority(try PostgresAuthority(address, key: TrialKey.provider))
      var settings = ClusterSettings(name: name, address: "\(name):7400")
      settings.lease = .seconds(lease)
      settings.settleTime = .seconds(settle)
      settings.balancePause = .seconds(balance)
      // A trial kills more owners than any poison would, unless it is about that.
      settings.deathLimit = deathLimit
      let running = Guarded<ClusterNode?>(nil)
      var configuration = ClusterNode.Configuration(
        manifest: [
          SceneConfiguration("Counting") {
            CountingDelegate(history) { session in
              guard let node = running.withLock({ $0 }), let number = node.status.number,
                let epoch = node.epoch(of: session)
              else { return nil }
              return CountReply.Tenure(epoch: epoch, node: number)
            }
          }
        ],
        authority: authority, node: settings,
        network: TLSNetwork(at: host, port: 0, published: nil),
        log: Logger(label: "node") { StreamLogHandler.standardError(label: $0) })
      configuration.settings.observedTopics = .lives
      configuration.settings.observer = { event in
        guard case .lost(.message(let message)) = event.kind, let session = event.session,
          let told = ToldMessage(message)
        else { return }
        history.write(.lost, session, .init(), told.number, sender: told.sender)
      }
      // A signal cannot reach a task by itself.
      let signals = NodeSignals(authority) { running.withLock { $0 }?.application.shutDown() }
      defer { signals.end() }
      try await ClusterNode.withRunning(configuration) { node in
        running.withLock { $0 = node }
        try await drive(node, history, sessions)
      }
    }

    @concurrent
    private func drive(
      _ node: ClusterNode, _ history: HistoryWriter, _ sessions: TrialSessions
    ) async throws {
      say("ready")
      var made: [SessionIdentifier] = []
      for _ in 0..<create {
        made.append(try await node.application.host.newSession().id)
        try await node.application.sendDurably("save", to: made[made.count - 1])
      }
      if create > 0 { try sessions.tell(made) }
      if poison, let session = node.application.openSessions.first?.id {
        _ = try await node.application.call("poison", to: session)
        try await node.application.sendDurably("save", to: session)
        say("poisoned \(session)")
      }
      if create > 0 { say("made") }
      if audit {
        for session in node.application.openSessions.map(\.id) {
          _ = try await node.application.call("read", to: session)
        }
        return say("audited")
      }
      try await withThrowingTaskGroup { group in
        // Ends with the node, as the callers do.
        group.addTask { try await watch(node, sessions) }
        for number in 0..<tellers {
          // One message after another, so that their order is known.
          group.addTask {
            let teller = NodeTeller(
              node: node, history: history, sessions: sessions, number: number)
            try await teller.run(pause: .milliseconds(pause))
          }
        }
        for number in 0..<callers {
          // A caller waits for one answer after another: several are more than one commit.
          group.addTask {
            let caller = NodeCaller(node: node, history: history, number: number)
            try await caller.run(pause: .milliseconds(pause))
          }
        }
        try await group.waitForAll()
      }
    }

    /// Tells the trial when the node pauses, and when it serves again; reads which sessions there
    /// are.
    private func watch(_ node: ClusterNode, _ sessions: TrialSessions) async throws {
      var wasServing = true
      var reads = ContinuousClock.now
      while true {
        // Nothing tells when the time is over in which a node may serve.
        try await Task.sleep(for: .milliseconds(5))
        if ContinuousClock.now > reads {
          sessions.read()
          reads += .seconds(1)
        }
        let isServing = node.status.isServing
        if isServing != wasServing { say(isServing ? "serves" : "paused") }
        wasServing = isServing
      }
    }
  }

  /// Tells a node's sessions something, and writes down what is durable.
  struct NodeCaller: Sendable {
    let node: ClusterNode
    let history: HistoryWriter
    let number: Int

    func run(pause: Duration) async throws {
      var random = SplitMix64(seed: UInt64(getpid()) << 8 + UInt64(number))
      while !Task.isCancelled {
        // What it tells is spread over time, as people do.
        try await Task.sleep(for: pause)
        let sessions = node.application.openSessions.map(\.id)
        guard !sessions.isEmpty else { continue }
        await tell(sessions[random.number(below: sessions.count)], random.number(below: 20) == 0)
      }
    }

    private func tell(_ session: SessionIdentifier, _ disconnects: Bool) async {
      // What is refused while slices move is of no account. What was saved is the count if the
      // epoch is the same afterwards.
      guard let told = await ask("count", session),
        (try? await node.application.sendDurably("save", to: session)) != nil,
        let saved = await ask("read", session), saved.tenure == told.tenure
      else { return }
      history.write(.acknowledged, session, told.tenure, told.count)
      if disconnects {
        // Not one in the foreground; a slice can leave in between.
        try? await node.application.host.perform(.background(session))
        try? await node.application.host.perform(.disconnect(session))
      }
    }
  }

  extension NodeCaller {
    private func ask(_ message: SceneMessage, _ session: SessionIdentifier) async -> CountReply? {
      let reply = try? await node.application.call(message, to: session)
      return reply.flatMap { CountReply($0) }
    }
  }

  /// The key of trials.
  enum TrialKey {
    static var provider: CallbackKeyProvider {
      .callback { try ApplicationKeys(primary: [UInt8](repeating: 7, count: 32)) }
    }
  }

  /// What the trial tells a node by signals: to end, and to hold its signs of life back.
  struct NodeSignals {
    private let sources: [any DispatchSourceSignal]

    /// - Parameters:
    ///   - authority: What is muted.
    ///   - shutDown: Ends the node in order.
    init(_ authority: MutedAuthority, shutDown: @escaping @Sendable () -> Void) {
      let reactions: [(CInt, @Sendable () -> Void)] = [
        (SIGTERM, shutDown), (SIGUSR1, { authority.setMuted(true) }),
        (SIGUSR2, { authority.setMuted(false) }),
      ]
      sources = reactions.map { number, react in
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: react)
        source.resume()
        return source
      }
    }

    /// Reacts no longer.
    func end() {
      for source in sources { source.cancel() }
    }
  }

  @available(*, unavailable)
  extension NodeSignals: Sendable {}
#endif
