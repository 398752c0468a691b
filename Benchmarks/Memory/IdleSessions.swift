// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium
import Synchronization

/// Sessions of an application of their own, first with idle scenes and then without.
final class IdleSessions: Sendable {
  private final class EmptyDelegate: SceneDelegate {}

  private let count: Int
  private let running: RunningApplication
  private let sessions = Mutex<[SessionIdentifier]>([])
  private let before = Mutex(0)

  init(_ count: Int) async throws {
    self.count = count
    running = try await RunningApplication { EmptyDelegate() }
  }

  /// The growth of allocated memory for each session whose scene is connected.
  func connect() async throws -> Reading {
    let application = running.application
    // What the first session of each shard costs once is not the cost of one more.
    for _ in 0..<256 { try await application.activateSceneSession() }
    sessions.withLock { $0.reserveCapacity(count) }
    before.withLock { $0 = Stopwatch.allocatedBytes }
    for _ in 0..<count {
      let session = try await application.activateSceneSession().id
      sessions.withLock { $0.append(session) }
    }
    await application.settle()
    return try growth(atMost: 400)
  }

  /// The same when none has a scene any more.
  func disconnect() async throws -> Reading {
    let application = running.application
    for session in sessions.withLock(\.self) {
      try await application.host.perform(.background(session))
      try await application.host.perform(.disconnect(session))
    }
    await application.settle()
    return try growth(atMost: 220)
  }

  private func growth(atMost limit: Double) throws -> Reading {
    let growth = Double(Stopwatch.allocatedBytes - before.withLock(\.self)) / Double(count)
    guard growth <= limit else {
      throw BenchmarkFailure("a session takes \(growth) bytes, and may take \(limit)")
    }
    return Reading(growth)
  }
}
