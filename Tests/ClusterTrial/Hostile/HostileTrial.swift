// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumPostgres
  import ProsceniumPrimitives

  /// A node that is told nonsense by other members of its cluster over real sockets, while it and
  /// another one go on to serve each other.
  struct HostileTrial: Sendable {
    let cluster: TrialCluster
    let frames: Int
    let seed: UInt64
    /// Whether the process does nothing else, so that its memory is what the nodes take, and its
    /// delays are theirs.
    let isAlone: Bool
    private let tally = NumberTally()
    private let ended = EndedConnections()
    private let outbox = LargestValue("proscenium_cluster_forwarding_messages")

    /// How many hostile nodes there are at a time.
    private static let attackers = 2

    init(on cluster: TrialCluster, frames: Int, seed: UInt64, isAlone: Bool) {
      (self.cluster, self.frames, self.seed, self.isAlone) = (cluster, frames, seed, isAlone)
    }

    /// - Returns: The figures, and what must not have been.
    func run() async throws -> TrialReport {
      let result = Guarded(TrialReport())
      try await withNode("victim", ended) { victim in
        try await withNode("other", nil) { other in
          let report = try await attack(victim, other)
          result.withLock { $0 = report }
        }
      }
      return result.withLock { $0 }
    }

    private func withNode(
      _ name: String, _ ended: EndedConnections?,
      _ body: @escaping @Sendable (ClusterNode) async throws -> Void
    ) async throws {
      var settings = ClusterSettings(name: name, address: name)
      settings.lease = .seconds(60)
      settings.settleTime = .milliseconds(100)
      settings.balancePause = nil
      var configuration = ClusterNode.Configuration(
        manifest: [SceneConfiguration("Numbered") { [tally] in NumberedDelegate(tally) }],
        authority: try PostgresAuthority(cluster.address, key: TrialKey.provider),
        node: settings, network: TLSNetwork(at: "127.0.0.1", port: 0, published: nil),
        log: (ended ?? EndedConnections()).logger)
      // Requests of others can make sessions, as those of a node itself.
      configuration.settings.sessionQuota = 1_000
      if ended != nil { configuration.settings.metrics = outbox }
      try await ClusterNode.withRunning(configuration, body)
    }

    // MARK: - The attack

    private func attack(_ victim: ClusterNode, _ other: ClusterNode) async throws -> TrialReport {
      let nodes = try await hostileNodes(Self.attackers + 1)
      let (dead, members) = (
        nodes[Self.attackers],
        (victim: try await nodes[0].member("victim"), other: try await nodes[0].member("other"))
      )
      try await share(victim, other)
      // Hostile requests end some of these.
      let sessions = try await Self.sessions(of: victim)
      let others = try await Self.sessions(of: victim)
      let isOver = Guarded(false)
      let traffic = try await InnocentTraffic(tally, from: victim, with: other)
      async let figures = traffic.run { isOver.withLock { $0 } }
      let attacks = nodes.prefix(Self.attackers).map {
        HostileAttack(node: $0, victim: members.victim)
      }
      let answers = nodes.indices.map {
        HostileAnswers(seed: seed &+ UInt64($0), changesProcess: $0 == Self.attackers)
      }
      var (memory, outboxes): ([Int], [Int]) = ([], [])
      let begin = ContinuousClock.now
      let steps = HostileSteps(attack: attacks[0], ended: ended, other: members.other)
      let result = await Result {
        try await withBackground(nodes, answers) {
          try await known(attacks)
          // The first tenth fills what is filled once.
          try await fuzz(attacks, sessions, frames / 10, seed)
          memory.append(ResidentMemory.bytes)
          try await fuzz(attacks, sessions, frames, seed &+ 1)
          memory.append(ResidentMemory.bytes)
          outboxes.append(outbox.take())
          try await dead.letBury(by: members.victim.number)
          try await steps.run(dead)
          try await steps.forgeReplies(upTo: frames)
          answers[0].fallSilent()
          try await steps.takeNoAnswers(calls: min(frames * 4, 400_000), to: others)
          outboxes.append(try await filledOutbox())
          answers[1].fallSilent()
          try await HostileSteps(attack: attacks[1], ended: ended, other: members.other)
            .askWithoutEnd()
          outboxes.append(try await filledOutbox())
          memory.append(ResidentMemory.bytes)
        }
      }
      isOver.withLock { $0 = true }
      let innocent = try await figures
      for node in nodes {
        // The others wait for it no longer; one is buried already.
        try? await node.letBury(by: members.victim.number)
        await node.end()
      }
      try result.get()
      let count = answers.reduce(0) { $0 + $1.count }
      var report = report(attacks, innocent, memory, ContinuousClock.now - begin, answered: count)
      add(outboxes, to: &report)
      return report
    }

    /// How much waited in the outboxes of the node, since it was looked at last.
    private func filledOutbox() async throws -> Int {
      // The node says so every second.
      try await Task.sleep(for: .seconds(2))
      return outbox.take()
    }

    private static func sessions(of node: ClusterNode) async throws -> [SessionIdentifier] {
      var sessions: [SessionIdentifier] = []
      for _ in 0..<8 { sessions.append(try await node.application.host.newSession().id) }
      return sessions
    }

    private func hostileNodes(_ count: Int) async throws -> [HostileNode] {
      var nodes: [HostileNode] = []
      for number in 0..<count {
        nodes.append(try await HostileNode.join(cluster.address, as: "hostile \(number)"))
      }
      return nodes
    }

    /// Gives a half of the slices of a node to another one.
    private func share(_ victim: ClusterNode, _ other: ClusterNode) async throws {
      let isGiven = try await cluster.sql(
        """
        SELECT proscenium.hand_over_1(giver.node, giver.run,
            ARRAY(SELECT generate_series(512, 1023))::smallint[], taker.node)
          FROM proscenium.node giver, proscenium.node taker
          WHERE giver.name = 'victim' AND taker.name = 'other'
        """)
      guard isGiven == "t" else { throw TrialFailure("the slices were not given") }
      while victim.status.served != 512 || other.status.served != 512 {
        // Nothing tells when both know.
        try await Task.sleep(for: .milliseconds(20))
      }
    }

    /// Lets hostile nodes live and answer while something is done.
    private func withBackground(
      _ nodes: [HostileNode], _ answers: [HostileAnswers], _ body: () async throws -> Void
    ) async throws {
      try await withThrowingDiscardingTaskGroup { group in
        for (node, answers) in zip(nodes, answers) {
          // Until it is buried or the body is over.
          group.addTask { try? await node.beat() }
          // As above.
          group.addTask { await answers.run(node.incoming) }
        }
        defer { group.cancelAll() }
        try await body()
      }
    }

    /// Waits until the node knows those that are about to attack it.
    private func known(_ attacks: [HostileAttack]) async throws {
      for attack in attacks {
        while true {
          if let (connection, _) = try? await attack.greet() {
            connection.close()
            break
          }
          // It learns of new members within a second.
          try await Task.sleep(for: .milliseconds(50))
        }
      }
    }

    private func fuzz(
      _ attacks: [HostileAttack], _ sessions: [SessionIdentifier], _ frames: Int, _ seed: UInt64
    ) async throws {
      try await withThrowingTaskGroup { group in
        for (number, attack) in attacks.enumerated() {
          // Each on connections of its own.
          group.addTask {
            let fuzz = FrameFuzz(seed: seed &* 31 &+ UInt64(number), sessions: sessions)
            try await attack.run(fuzz, frames: frames / attacks.count)
          }
        }
        try await group.waitForAll()
      }
    }

    // MARK: - Figures

    private func report(
      _ attacks: [HostileAttack], _ innocent: InnocentTraffic.Figures, _ memory: [Int],
      _ time: Duration, answered: Int
    ) -> TrialReport {
      var report = TrialReport()
      report.add("frames sent", "\(attacks.reduce(0) { $0 + $1.count })")
      for kind in FrameFuzz.Kind.allCases {
        let count = attacks.reduce(0) { $0 + $1.sent.withLock { $0[kind] ?? 0 } }
        report.add("  \(kind.rawValue)", "\(count)")
      }
      report.add("seconds", (time / .seconds(1)).formatted(1))
      report.add("connections of the node answered with nonsense", "\(answered)")
      report.add("connections that the node has ended", "\(ended.count(of: ""))")
      for (reason, count) in ended.all.prefix(32) { report.add("  \(reason)", "\(count)") }
      report.add("messages of the innocent", "\(innocent.messages)")
      let delays = [
        ("  a call, p50", innocent.median, 50.0), ("  a call, p99", innocent.high, 200),
        ("  the longest", innocent.longest, 1_000),
      ]
      for (name, delay, bar) in delays {
        // Next to other tests a call waits for these.
        if isAlone {
          report.add(name, delay, of: bar, "ms")
        } else {
          report.add(name, "\(delay.formatted(1)) ms")
        }
      }
      for (name, bytes) in zip(["a tenth", "all", "the rest"], memory) {
        report.add("resident after \(name), MiB", "\(bytes >> 20)")
      }
      report.add(problems: attacks.flatMap { $0.problems.withLock { $0 } } + innocent.problems)
      // A node of this size has 60 MiB.
      if isAlone, let most = memory.max(), most > 512 << 20 {
        report.add(problems: ["memory has no limit: \(most >> 20) MiB"])
      }
      return report
    }

    /// Adds how much was in the outboxes in each part of the attack, at most.
    ///
    /// A node takes what it has to answer as long as the replies that it owes a peer, together with
    /// what it has for it already, are fewer than twice as many as may be on their way to a node,
    /// and what it has for it is smaller than twice the size.
    private func add(_ outboxes: [Int], to report: inout TrialReport) {
      let room = ForwardLedger<LinkItem>.Limit()
      // What is on its way between the innocent, who say 2,000 messages a second each way.
      let others = 4_096
      // Each reply has a kilobyte; those of 8,192 calls that run have no size yet.
      let calls = 2 * room.size / 1_024 + 8_192
      let parts = [
        // Both peers take what they are told now and then.
        ("random frames", Self.attackers * 2 * room.count),
        ("calls without end", calls),
        // Of the other peer, while the one before still takes nothing.
        ("questions without end", calls + 2 * room.count),
      ]
      report.add("messages in the node's outboxes, at most", "")
      for ((name, limit), count) in zip(parts, outboxes) {
        report.add("  \(name)", "\(count)")
        if count > limit + others {
          report.add(problems: ["\(name): \(count) messages wait, more than \(limit + others)"])
        }
      }
    }
  }

  /// How much memory the process has.
  enum ResidentMemory {
    /// In bytes, as Linux tells it; 0 elsewhere.
    static var bytes: Int {
      guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
        return 0
      }
      return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }
  }
#endif
