// SPDX-License-Identifier: Apache-2.0

import FlyingSocks
import Foundation
import Proscenium
import ProsceniumPrimitives

/// Runs the clients, and the server in a process of its own.
struct TrialRun: Sendable {
  private let plan: TrialPlan
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("client-trial-\(ProcessInfo.processInfo.processIdentifier)").path
  private let clock = ContinuousClock()

  init(_ plan: TrialPlan) {
    self.plan = plan
  }

  /// Runs the trial.
  ///
  /// - Returns: What it came to.
  /// - Throws: If the server cannot be started, or does not end in order.
  @concurrent
  func run() async throws -> TrialReport {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pool: some AsyncSocketPool = .make()
    try await pool.prepare()
    let clients = (0..<plan.clients).map {
      TrialClient($0, plan, path: TrialServer.socketPath(folder), pool: pool)
    }
    return try await withThrowingTaskGroup { group in
      // Waits for the sockets until it is cancelled.
      group.addTask { try await pool.run() }
      defer { group.cancelAll() }
      let start = clock.now
      try await attempt(clients)
      return TrialReport(clients.map(\.result), plan, seconds: start.duration(to: clock.now))
    }
  }

  private func attempt(_ clients: [TrialClient]) async throws {
    let end = clock.now.advanced(by: .seconds(plan.seconds))
    try await withThrowingTaskGroup { group in
      // Returns when everything is acknowledged.
      group.addTask { [self] in try await all(clients) { try await $0.run(until: end) } }
      // Ends and starts the server until it is cancelled.
      group.addTask { [self] in try await serve() }
      defer { group.cancelAll() }
      try await group.next()
    }
    // One more launch: what is on the disk is everything.
    try await withThrowingTaskGroup { group in
      // Returns when each client was shown everything.
      group.addTask { [self] in try await all(clients) { try await $0.verify() } }
      // Until it is cancelled.
      group.addTask { [self] in try await keepServer() }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func all(
    _ clients: [TrialClient], _ body: @escaping @Sendable (TrialClient) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup { group in
      // All at once, as clients are.
      for client in clients { group.addTask { try await body(client) } }
      try await group.waitForAll()
    }
  }

  // MARK: - The server

  /// Ends the server as often as the plan says, evenly, by turns in order and by a kill.
  private func serve() async throws {
    let ends = plan.kills + plan.restarts
    let share = Duration.seconds(plan.seconds) / (ends + 1)
    for number in 0..<ends {
      let isKill = number.isMultiple(of: 2) ? number / 2 < plan.kills : number / 2 >= plan.restarts
      try await withServer {
        try await clock.sleep(for: share)
      } isKilled: {
        isKill
      }
    }
    try await keepServer()
  }

  private func keepServer() async throws {
    try await withServer {
      try await clock.sleep(for: .seconds(86_400))
    } isKilled: {
      false
    }
  }

  /// Has a server while a function runs.
  private func withServer(
    _ body: () async throws -> Void, isKilled: () -> Bool
  ) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["serve", folder, "--sessions", String(plan.clients)]
    let (end, ended) = AsyncStream<Never>.makeStream()
    process.terminationHandler = { _ in ended.finish() }
    try process.run()
    var failure: (any Error)?
    do {
      try await body()
    } catch {
      failure = error
    }
    let isKill = failure == nil && isKilled()
    kill(process.processIdentifier, isKill ? SIGKILL : SIGTERM)
    // Awaited also by a task that was cancelled.
    await withTaskGroup { group in
      group.addTask { for await _ in end {} }
      await group.waitForAll()
    }
    process.waitUntilExit()
    if let failure { throw failure }
    let isRight =
      isKill
      ? process.terminationReason == .uncaughtSignal
      : process.terminationReason == .exit && process.terminationStatus == 0
    guard isRight else { throw ServerFailure(status: process.terminationStatus) }
  }
}

/// The server has ended otherwise than it was to.
struct ServerFailure: Error, CustomStringConvertible {
  let status: Int32

  var description: String { "the server has ended by itself, with status \(status)" }
}
