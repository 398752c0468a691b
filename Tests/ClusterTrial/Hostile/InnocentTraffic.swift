// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// What two nodes tell each other's sessions while one of them is attacked: numbers from 1 on.
  final class InnocentTraffic: Sendable {
    let tally: NumberTally
    private let one: ClusterNode
    private let two: ClusterNode
    /// Sessions of the second node and of the first one, which are called or told by the other.
    private let called: [SessionIdentifier]
    private let told: [SessionIdentifier]
    private let delays = Guarded<[Double]>([])

    /// How many were told, and how long a call took, in milliseconds.
    struct Figures: Sendable {
      var messages = 0
      var median = 0.0
      var high = 0.0
      var longest = 0.0
      var problems: [String] = []
    }

    init(_ tally: NumberTally, from one: ClusterNode, with two: ClusterNode) async throws {
      (self.tally, self.one, self.two) = (tally, one, two)
      called = [
        try await two.application.host.newSession().id,
        try await one.application.host.newSession().id,
      ]
      told = [
        try await two.application.host.newSession().id,
        try await one.application.host.newSession().id,
      ]
      for session in called + told { tally.expect(session) }
    }

    /// Tells and calls until it is over.
    func run(until isOver: @escaping @Sendable () -> Bool) async throws -> Figures {
      let sent = Guarded<[SessionIdentifier: Int]>([:])
      try await withThrowingTaskGroup { group in
        for (session, node) in zip(told, [one, two]) {
          // Each way by itself: one that is held up must not hold the other one up.
          group.addTask { @Sendable [self] in
            let count = try await tell(session, from: node, until: isOver)
            sent.withLock { $0[session] = count }
          }
        }
        for (session, node) in zip(called, [one, two]) {
          // As above.
          group.addTask { @Sendable [self] in
            let count = try await call(session, from: node, until: isOver)
            sent.withLock { $0[session] = count }
          }
        }
        try await group.waitForAll()
      }
      return try await figures(sent.withLock { $0 })
    }

    private func tell(
      _ session: SessionIdentifier, from node: ClusterNode, until isOver: () -> Bool
    ) async throws -> Int {
      var number = 0
      while !isOver() {
        number += 1
        try await node.application.sendWithBackpressure("\(number)", to: session)
        // Spread over time, as what users do.
        if number % 10 == 0 { try await Task.sleep(for: .milliseconds(5)) }
      }
      return number
    }

    private func call(
      _ session: SessionIdentifier, from node: ClusterNode, until isOver: () -> Bool
    ) async throws -> Int {
      var number = 0
      while !isOver() {
        number += 1
        let begin = LinkTraffic.now
        let answer = try await node.application.call("\(number)", to: session).string
        let delay = Double(LinkTraffic.now - begin) / 1e6
        delays.withLock { $0.append(delay) }
        guard answer == "\(number)" else {
          throw TrialFailure(
            "expected the answer \(number), found one of \(answer.utf8.count) bytes")
        }
        // As above.
        try await Task.sleep(for: .milliseconds(1))
      }
      return number
    }

    /// Waits until all has come, and counts.
    private func figures(_ sent: [SessionIdentifier: Int]) async throws -> Figures {
      for (session, node) in zip(told, [one, two]) {
        // It comes behind all messages of the same sender.
        _ = try await node.application.call("\((sent[session] ?? 0) + 1)", to: session)
      }
      var figures = Figures(problems: tally.problems)
      for (session, count) in sent {
        let expected = count + (called.contains(session) ? 0 : 1)
        figures.messages += expected
        if tally.last(of: session) != expected {
          figures.problems.append("\(tally.last(of: session)) of \(expected) messages came")
        }
      }
      let all = delays.withLock { $0.sorted() }
      figures.median = LinkTraffic.share(0.5, of: all)
      figures.high = LinkTraffic.share(0.99, of: all)
      figures.longest = all.last ?? 0
      return figures
    }
  }
#endif
