// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives

/// The processes that serve the sessions of a load test, which start, are struck, and end.
package final class NodeFleet: Sendable {
  /// How long nodes may take for what is waited for.
  static let patience = Duration.seconds(120)

  /// The address of the nodes' database; nil for a process that is no node.
  let database: String?
  private let logs: String?
  let clock = ContinuousClock()
  /// When the time began.
  private let beginning = Guarded<ContinuousClock.Instant?>(nil)
  private let nodes = Guarded<[LoadNode]>([])
  private let strikeCount = Guarded(0)

  /// Creates a fleet without nodes.
  ///
  /// - Parameters:
  ///   - database: The address of the nodes' database; nil for a process that is no node.
  ///   - logs: The folder of their logs; nil if they log where this process does.
  package init(database: String?, logs: String?) {
    self.database = database
    self.logs = logs
  }

  /// Time is counted from now on.
  package func begin() { beginning.withLock { [clock] in $0 = clock.now } }

  /// Seconds since the begin; 0 before.
  package var time: Double { beginning.withLock { $0 }.map(seconds) ?? 0 }

  func seconds(since start: ContinuousClock.Instant) -> Double { (clock.now - start) / .seconds(1) }

  /// All nodes that there ever were.
  package var all: [LoadNode] { nodes.withLock { $0 } }

  /// Those that have not ended.
  package var living: [LoadNode] { all.filter { $0.life.ended == nil } }

  /// Those that are not to end either.
  package var staying: [LoadNode] { living.filter { $0.life.end == nil } }

  /// How often nodes were struck.
  package var strikes: Int { strikeCount.withLock { $0 } }

  func countStrike() { strikeCount.withLock { $0 += 1 } }

  /// Starts a node, and does not wait for it.
  ///
  /// - Parameters:
  ///   - name: What it is called.
  ///   - build: The build of its program.
  ///   - arguments: What it is told.
  /// - Returns: The node.
  /// - Throws: That it cannot be started.
  package func launch(_ name: String, build: Int32, _ arguments: [String]) throws -> LoadNode {
    let node = try LoadNode(
      NodeLife(name: name, build: build, begun: time), arguments,
      log: logs.map { "\($0)/\(name).log" })
    nodes.withLock { $0.append(node) }
    return node
  }

  /// Kills a node.
  package func kill(_ node: LoadNode) async {
    countStrike()
    node.expectEnd(.killed)
    await node.process.kill()
    node.noteEnd(at: time)
  }

  /// Ends all nodes in order.
  ///
  /// - Throws: ``ChildFailure`` if one ends otherwise.
  package func close() async throws {
    try await withThrowingTaskGroup { group in
      for node in living {
        node.expectEnd(.ended)
        // All at once: each takes its time to capture its scenes.
        group.addTask {
          try await node.process.terminate()
          node.noteEnd(at: self.time)
        }
      }
      try await group.waitForAll()
    }
  }

  /// Kills what is left.
  package func killAll() async {
    for node in living { await node.process.kill() }
  }

  /// What is done between two looks at something that no one tells: nothing, for a moment.
  package static func pause() async throws {
    // Not longer: what is waited for is measured.
    try await ContinuousClock().sleep(for: .milliseconds(50))
  }

  /// Waits until something is so.
  ///
  /// - Parameters:
  ///   - what: What is waited for, in words.
  ///   - pause: What is done between two looks.
  ///   - isSo: Looks.
  /// - Throws: ``FleetFailure`` if that takes too long.
  package func wait(
    for what: String, pause: () async throws -> Void = NodeFleet.pause,
    until isSo: () async throws -> Bool
  ) async throws {
    let end = clock.now + Self.patience
    while try await !isSo() {
      guard clock.now < end else { throw FleetFailure.late(what, Self.patience) }
      try await pause()
    }
  }
}

/// What nodes have not done.
package enum FleetFailure: Error, CustomStringConvertible {
  /// Something that was waited for.
  case late(String, Duration)
  /// No node that stays has a number.
  case notThere(Int32)
  /// A node has no others.
  case lastOne(Int32)
  /// It is no fleet of nodes.
  case noDatabase

  package var description: String {
    switch self {
    case .late(let what, let time): "expected \(what) within \(time)"
    case .notThere(let number): "expected a node of the test that stays, \(number) is none"
    case .lastOne(let number): "expected another node that stays, \(number) is the last one"
    case .noDatabase: "expected nodes with a database"
    }
  }
}
