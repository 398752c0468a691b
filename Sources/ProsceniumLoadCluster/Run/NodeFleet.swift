// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLoadNodes
  import ProsceniumPostgres
  import ProsceniumPrimitives

  /// The nodes of a run, which start, are struck, and end.
  final class NodeFleet: Sendable {
    /// How long a node may take to give its slices away, or slices to be served again.
    private static let patience = Duration.seconds(120)
    /// How often it is looked whether something is so that no one tells.
    private static let glance = Duration.milliseconds(50)
    /// How often a database is asked that does not answer, as one of a busy machine.
    private static let attempts = 5

    private let plan: ClusterPlan
    private let database: String
    private let folder: String
    private let clock = ContinuousClock()
    /// When the load began.
    private let begin = Guarded<ContinuousClock.Instant?>(nil)
    private let nodes = Guarded<[RunNode]>([])
    private let strikeCount = Guarded(0)

    init(_ plan: ClusterPlan, database: String, folder: String) {
      self.plan = plan
      self.database = database
      self.folder = folder
    }

    /// The load begins now.
    func beginLoad() { begin.withLock { [clock] in $0 = clock.now } }

    /// Seconds since the load began; 0 before.
    var time: Double { begin.withLock { $0 }.map { (clock.now - $0) / .seconds(1) } ?? 0 }

    /// All nodes that there ever were.
    var all: [RunNode] { nodes.withLock { $0 } }

    /// Those that have not ended.
    var living: [RunNode] { all.filter { $0.life.ended == nil } }

    /// Those that are not to end either.
    private var staying: [RunNode] { living.filter { $0.life.end == nil } }

    /// How often nodes were struck.
    var strikes: Int { strikeCount.withLock { $0 } }

    /// Where the source of the events says what goes wrong.
    var sourceLog: String { "\(folder)/source.log" }

    /// What all processes are told.
    var arguments: [String] {
      ["--database", database, "--key", "\(folder)/key", "--lease", "\(plan.lease)"]
    }

    /// Starts a node, and returns when it serves, or knows that it has nothing to serve.
    ///
    /// - Throws: That it has ended before.
    @discardableResult
    func start(
      _ name: String, build: Int32 = 1, _ more: [String] = []
    ) async throws -> RunNode {
      let node = try launch(name, build: build, more)
      _ = try await node.process.line(with: NodeCommand.ready)
      return node
    }

    private func launch(_ name: String, build: Int32, _ more: [String]) throws -> RunNode {
      let life = RunNode.Life(name: name, build: build, begun: time)
      let node = try RunNode(
        life, in: folder, arguments + ["--durability", plan.durability] + more)
      nodes.withLock { $0.append(node) }
      return node
    }

    /// Starts all nodes, which find one another before they take slices, and lets them make their
    /// sessions.
    ///
    /// - Returns: The sessions of each.
    func open() async throws -> [[String]] {
      let share = plan.sessions / plan.nodes
      let lists = (1...plan.nodes).map { "\(folder)/node\($0).sessions" }
      let nodes = try lists.enumerated().map { place, list in
        // The rest is the first one's.
        let count = share + (place == 0 ? plan.sessions % plan.nodes : 0)
        return try launch(
          "node\(place + 1)", build: 1, ["--create", "\(count)", "--list", list])
      }
      for node in nodes { _ = try await node.process.line(with: "made") }
      try await waitUntilServed(isSpread: true)
      return try lists.map { list in
        try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").map(String.init)
      }
    }

    /// Ends all nodes in order.
    func close() async throws {
      for node in living {
        node.expectEnd("ended")
        try await node.process.terminate()
        node.noteEnd(at: time)
      }
    }

    /// Kills what is left.
    func killAll() async {
      for node in living { await node.process.kill() }
    }

    // MARK: - Strikes

    /// Kills a node, and starts another one of its name; returns when all slices are served.
    ///
    /// - Returns: When no node had died any longer, and when all slices were served again, in
    ///   seconds after the kill.
    func kill(_ node: RunNode) async throws -> (buried: Double, served: Double) {
      let start = clock.now
      strikeCount.withLock { $0 += 1 }
      node.expectEnd("killed")
      await node.process.kill()
      node.noteEnd(at: time)
      let number = node.life.reading.number
      try await wait { try await self.status().isBuried(number) }
      let buried = (clock.now - start) / .seconds(1)
      try await waitUntilServed()
      let served = (clock.now - start) / .seconds(1)
      try await self.start(node.name, build: node.life.build)
      try await waitUntilServed(isSpread: true)
      return (buried, served)
    }

    /// Stops a node for longer than its lease, and lets it go on; returns when all slices are
    /// served, as of a kill.
    func stop(_ node: RunNode) async throws -> (buried: Double, served: Double) {
      let start = clock.now
      strikeCount.withLock { $0 += 1 }
      node.process.signal(SIGSTOP)
      let number = node.life.reading.number
      defer { node.process.signal(SIGCONT) }
      try await wait { try await self.status().isBuried(number) }
      let buried = (clock.now - start) / .seconds(1)
      try await waitUntilServed(without: node)
      let served = (clock.now - start) / .seconds(1)
      node.process.signal(SIGCONT)
      // It joins again as a new node.
      try await wait { node.life.reading.number != number }
      try await waitUntilServed(isSpread: true)
      return (buried, served)
    }

    /// Drains a node, and returns when its process has ended: how long that took, in seconds.
    func drain(_ node: RunNode) async throws -> Double {
      let start = clock.now
      try await beginDrain(of: node)
      try await node.process.waitUntilDone()
      node.noteEnd(at: time)
      return (clock.now - start) / .seconds(1)
    }

    /// Has a node begin to drain, as a person has asked for.
    ///
    /// - Throws: That it is none that can be drained.
    func beginDrain(of number: Int32) async throws {
      let staying = staying
      guard let node = staying.first(where: { $0.life.reading.number == number }) else {
        throw FleetFailure.notThere(number)
      }
      guard staying.count > 1 else { throw FleetFailure.lastOne(number) }
      try await beginDrain(of: node)
    }

    private func beginDrain(of node: RunNode) async throws {
      node.expectEnd("drained")
      strikeCount.withLock { $0 += 1 }
      try await asked { try await ClusterStatus.drain(node.life.reading.number, at: self.database) }
    }

    /// Draws a node to be struck.
    func drawn(_ random: inout SplitMix64) -> RunNode? {
      let staying = staying
      return staying.isEmpty ? nil : staying[random.number(below: staying.count)]
    }

    /// Replaces all nodes by those of a newer build: a spare is started, an old node drained, and
    /// when it has ended the next new one is started.
    ///
    /// - Returns: How long each drain took, in seconds.
    func deploy() async throws -> [Double] {
      let old = staying
      let build = (old.map(\.life.build).max() ?? 0) + 1
      var times: [Double] = []
      try await start("node\(all.count + 1)", build: build)
      for (place, node) in old.enumerated() {
        times.append(try await drain(node))
        // The last one has its replacement: the spare was there before the first one ended.
        if place < old.count - 1 { try await start("node\(all.count + 1)", build: build) }
      }
      return times
    }

    // MARK: - The database

    /// How the nodes are.
    ///
    /// - Returns: Everything as of one moment.
    /// - Throws: What the database refuses, again and again.
    func status() async throws -> ClusterStatus {
      try await asked { try await ClusterStatus.read(self.database) }
    }

    private func asked<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
      for _ in 1..<Self.attempts {
        if let answer = try? await body() { return answer }
        try await clock.sleep(for: Self.glance)
      }
      return try await body()
    }

    // MARK: - Waiting

    /// Waits until the nodes that live serve all slices.
    ///
    /// - Parameters:
    ///   - isSpread: Whether each is to have its share, more or less.
    ///   - excluded: One that does not count.
    /// - Throws: `FleetFailure` if that takes too long, or what the database refuses.
    private func waitUntilServed(
      isSpread: Bool = false, without excluded: RunNode? = nil
    ) async throws {
      let slices = try await status().slices
      try await wait {
        let served = self.living.filter { $0 !== excluded }.map(\.life.reading.served)
        guard served.reduce(0, +) == slices else { return false }
        let (least, most) = (served.min() ?? 0, served.max() ?? 0)
        return !isSpread || most - least <= max(4, slices / served.count / 10)
      }
    }

    private func wait(until isSo: () async throws -> Bool) async throws {
      let end = clock.now + Self.patience
      while try await !isSo() {
        guard clock.now < end else { throw FleetFailure.notServed(Self.patience) }
        // No one tells.
        try await clock.sleep(for: Self.glance)
      }
    }
  }

  extension ClusterStatus {
    /// Whether a node is dead, or forgotten.
    func isBuried(_ number: Int32) -> Bool {
      nodes.first { $0.number == number }.map { $0.state == .dead } ?? true
    }
  }

  /// What nodes have not done.
  enum FleetFailure: Error, CustomStringConvertible {
    /// Not all slices were served in time, or a node was not buried.
    case notServed(Duration)
    /// No node that stays has a number.
    case notThere(Int32)
    /// A node has no others.
    case lastOne(Int32)

    var description: String {
      switch self {
      case .notServed(let time): "not all slices were served by living nodes within \(time)"
      case .notThere(let number): "expected a node of the test that stays, \(number) is none"
      case .lastOne(let number): "expected another node that stays, \(number) is the last one"
      }
    }
  }
#endif
