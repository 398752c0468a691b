// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPredicate
  import ProsceniumPrimitives

  /// Events of two nodes, whose content sessions of either show.
  struct ContentTrial: Sendable {
    let one: ClusterNode
    let two: ClusterNode

    private static func open(
      _ url: String, at node: ClusterNode
    ) async throws -> SessionIdentifier {
      try await node.application.deliver(.url(OpenURLContext(url))).id
    }

    /// Waits until each node serves a half of the slices.
    func waitUntilShared() async throws {
      for _ in 0..<600 {
        let (first, second) = (one.status, two.status)
        if abs(first.served - second.served) <= 64, first.waiting + second.waiting == 0 { return }
        // Slices move by themselves; a look now and then costs them nothing.
        try await Task.sleep(for: .milliseconds(100))
      }
      throw TrialFailure("the nodes do not share the slices: \(one.status), \(two.status)")
    }

    /// Lets two events for the same new content arise on both nodes at the same instant.
    ///
    /// - Returns: How many pairs made one session.
    func makePairs(_ count: Int) async throws -> Int {
      var same = 0
      for start in stride(from: 0, to: count, by: 100) {
        same += try await withThrowingTaskGroup(of: Bool.self) { group in
          for number in start..<min(start + 100, count) {
            // A hundred pairs at a time: one alone would wait for its answers most of the time.
            group.addTask {
              async let first = Self.open("pair/\(number)", at: one)
              async let second = Self.open("pair/\(number)", at: two)
              return try await first == second
            }
          }
          return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
      }
      return same
    }

    private func session(
      preferring url: String, at node: ClusterNode
    ) async throws -> SessionIdentifier {
      let session = try await node.application.host.newSession().id
      let content = try ContentPredicate.equals(url)
      _ = try await node.application.updateSession(session) {
        $0.activationConditions = SceneActivationConditions(can: .false, prefers: content)
      }
      return session
    }

    /// Lets an event follow conditions at once that were set on the other node.
    ///
    /// - Returns: How many events made a second session.
    func followYoungConditions(_ count: Int) async throws -> Int {
      var doubles = 0
      for number in 0..<count {
        let session = try await session(preferring: "young/\(number)", at: two)
        if try await Self.open("young/\(number)", at: one) != session { doubles += 1 }
      }
      return doubles
    }

    /// Delivers events to sessions of the other node, and calls the same sessions, in turns.
    ///
    /// - Returns: A line with the rates and the times of both.
    func compare(for time: Duration) async throws -> String {
      var sessions: [SessionIdentifier] = []
      for number in 0..<200 {
        sessions.append(try await session(preferring: "far/\(number)", at: two))
      }
      // What is measured is no event that comes too early: the terms are there long before.
      try await Task.sleep(for: .milliseconds(500))
      let found = sessions
      let events = try await Self.measure(for: time) { number in
        let session = try await Self.open("far/\(number % 200)", at: one)
        guard session == found[number % 200] else { throw TrialFailure("another session") }
      }
      let calls = try await Self.measure(for: time) { number in
        _ = try await one.application.call("state", to: found[number % 200])
      }
      let local = try await Self.measure(for: time) { number in
        _ = try await Self.open("far/\(number % 200)", at: two)
      }
      return String(
        format: """
          of one task             a second   p50 µs   p99 µs
          events to another node  %8.0f %8.0f %8.0f
          calls to another node   %8.0f %8.0f %8.0f
          events on one node      %8.0f %8.0f %8.0f
          """,
        events.rate, events.median, events.high, calls.rate, calls.median, calls.high, local.rate,
        local.median, local.high)
    }

    @concurrent
    private static func measure(
      for time: Duration, _ body: @Sendable (Int) async throws -> Void
    ) async throws -> (rate: Double, median: Double, high: Double) {
      let begin = LinkTraffic.now
      let end = begin + UInt64(time / .nanoseconds(1))
      var times: [Double] = []
      var last = begin
      while last < end {
        try await body(times.count)
        let now = LinkTraffic.now
        times.append(Double(now - last) / 1_000)
        last = now
      }
      let sorted = times.sorted()
      return (
        Double(times.count) / (Double(last - begin) / 1e9), LinkTraffic.share(0.5, of: sorted),
        LinkTraffic.share(0.99, of: sorted)
      )
    }
  }
#endif
