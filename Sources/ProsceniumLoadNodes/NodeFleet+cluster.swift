// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import Foundation
  package import ProsceniumPostgres
  import ProsceniumTerminal

  // What is done to the nodes of a cluster, and what its database says of them.
  extension NodeFleet {
    /// How often a database is asked that does not answer, as one of a busy machine.
    private static let attempts = 5

    /// How the nodes are.
    ///
    /// - Returns: Everything as of one moment.
    /// - Throws: What the database refuses, again and again.
    package func status() async throws -> ClusterStatus {
      try await asked { try await ClusterStatus.read($0) }
    }

    private func asked<Answer>(_ body: (String) async throws -> Answer) async throws -> Answer {
      guard let database else { throw FleetFailure.noDatabase }
      for _ in 1..<Self.attempts {
        if let answer = try? await body(database) { return answer }
        try await Self.pause()
      }
      return try await body(database)
    }

    // MARK: - Waiting

    /// Waits until the nodes that live serve all slices.
    ///
    /// - Parameters:
    ///   - isSpread: Whether each is to have its share, more or less.
    ///   - excluded: One that does not count.
    /// - Throws: ``FleetFailure`` if that takes too long, or what the database refuses.
    package func waitUntilServed(
      isSpread: Bool = false, without excluded: LoadNode? = nil
    ) async throws {
      let slices = try await status().slices
      try await wait(for: "all slices to be served by living nodes") {
        let served = self.living.filter { $0 !== excluded }.map(\.life.reading.served)
        guard served.reduce(0, +) == slices else { return false }
        let (least, most) = (served.min() ?? 0, served.max() ?? 0)
        return !isSpread || most - least <= max(4, slices / served.count / 10)
      }
    }

    /// Waits until a node has said its number.
    private func waitUntilJoined(_ node: LoadNode) async throws {
      try await wait(for: "\(node.name) to join") { node.number != 0 }
    }

    /// Waits until others have taken the slices of a node that was dead, or was taken for dead.
    package func waitUntilBuried(
      _ node: LoadNode, pause: () async throws -> Void = NodeFleet.pause
    ) async throws {
      let number = node.number
      try await wait(for: "\(node.name) to be buried by the others", pause: pause) {
        let found = try await self.status().nodes.first { $0.number == number }
        return found.map { $0.state == .dead } ?? true
      }
    }

    // MARK: - Strikes

    /// Stops a node until others have taken its sessions, and lets it go on.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - pause: What is done between two looks whether they have.
    ///   - body: What is done when they have, before it goes on.
    /// - Throws: ``FleetFailure`` if they take too long, or what either closure throws.
    package func stop(
      _ node: LoadNode, pause: () async throws -> Void = NodeFleet.pause,
      _ body: () async throws -> Void
    ) async throws {
      try await waitUntilJoined(node)
      countStrike()
      node.process.signal(SIGSTOP)
      // It goes on whatever comes of it.
      defer { node.process.signal(SIGCONT) }
      try await waitUntilBuried(node, pause: pause)
      try await body()
      node.noteStop()
    }

    /// Drains a node, and returns when its process has ended.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - pause: What is done between two looks whether it has.
    /// - Returns: How long that took, in seconds.
    /// - Throws: What the database refuses, or that the process has not ended in order.
    package func drain(
      _ node: LoadNode, pause: () async throws -> Void = NodeFleet.pause
    ) async throws -> Double {
      let start = clock.now
      try await beginDrain(of: node)
      try await wait(for: "\(node.name) to end, which was drained", pause: pause) {
        !node.process.isRunning
      }
      try await node.process.waitUntilDone()
      node.noteEnd(at: time)
      return seconds(since: start)
    }

    /// Has a node begin to drain, as a person has asked for.
    ///
    /// - Throws: That it is none that can be drained.
    package func beginDrain(of number: Int32) async throws {
      let staying = staying
      guard let node = staying.first(where: { $0.number == number }) else {
        throw FleetFailure.notThere(number)
      }
      guard staying.count > 1 else { throw FleetFailure.lastOne(number) }
      try await beginDrain(of: node)
    }

    private func beginDrain(of node: LoadNode) async throws {
      try await waitUntilJoined(node)
      node.expectEnd(.drained)
      countStrike()
      try await asked { try await ClusterStatus.drain(node.number, at: $0) }
    }

    /// Replaces each node by one of a newer build: one more is started first, and each that has
    /// ended is followed by another one of its name, but for the last.
    ///
    /// Ctrl-C ends it before the next one.
    ///
    /// - Parameters:
    ///   - start: Starts a node of a name and a build, and waits until it serves.
    ///   - drain: Drains a node, and waits until it has ended.
    /// - Throws: What either throws.
    package func deploy(
      start: (String, Int32) async throws -> Void, drain: (LoadNode) async throws -> Void
    ) async throws {
      let old = staying
      let build = (old.map(\.build).max() ?? 0) + 1
      try await start("node\(Set(all.map(\.name)).count + 1)", build)
      for node in old where !Terminal.isInterrupted {
        try await drain(node)
        if node !== old.last { try await start(node.name, build) }
      }
    }
  }
#endif
