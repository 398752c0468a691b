// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Logging
import Proscenium

/// Measures the runtime's paths through its public API, beside the floor that the machine allows.
///
/// All load is driven from child tasks: a loop on the main actor would be five times slower and
/// measure the main thread.
public struct RuntimeMeasurement: Sendable {
  /// A group of workloads.
  public enum Part: String, CaseIterable, Sendable {
    /// Messages from two producers, beside the floor.
    case delivery
    /// Calls that wait for a reply.
    case calls
    /// The requests of a session's life, each awaited.
    case requests
    /// Bytes a scene and a session.
    case memory
  }

  /// What is measured.
  public var parts = Set(Part.allCases)

  /// How many scenes there are.
  public var scenes = 100_000

  /// How many messages each producer sends.
  public var messages = 2_000_000

  /// How many tasks make requests at the same time.
  public var callers = 8

  /// How many shards the runtime has.
  public var shards = 64

  /// How many scenes a policy leaves connected, by the recommended order; nil without a policy.
  public var sceneLimit: Int?

  private let meter: (any MemoryMeter)?
  private let clock: ContinuousClock
  let report: @Sendable (Measurement) -> Void

  /// Creates a measurement.
  ///
  /// - Parameters:
  ///   - clock: Times the workloads.
  ///   - meter: Counts allocations, if the program has a counting allocator.
  ///   - report: Receives each result as soon as it is there.
  public init(
    clock: ContinuousClock, meter: (any MemoryMeter)? = nil,
    report: @escaping @Sendable (Measurement) -> Void
  ) {
    self.clock = clock
    self.meter = meter
    self.report = report
  }

  /// Runs all workloads, one after another.
  ///
  /// - Returns: What scenes and sessions cost in memory.
  /// - Throws: What the runtime throws; nothing is expected.
  @concurrent
  public func run() async throws -> [MemoryCost] {
    let stopwatch = Stopwatch(meter: meter, clock: clock)
    if parts.contains(.delivery) { await measureFloor(stopwatch) }
    if parts != [.memory] { try await measureScenes(stopwatch) }
    guard parts.contains(.memory), let meter else { return [] }
    return try await SessionMemoryProbe(count: scenes, meter: meter).run()
  }

  // MARK: - Deliveries and requests

  private func measureScenes(_ stopwatch: Stopwatch) async throws {
    let application = makeApplication { MeasuredDelegate() }
    try await running(application) {
      let sessions = Collected<SessionIdentifier>()
      let opening = try await stopwatch.measure("new session, to the foreground", scenes) {
        try await concurrently(scenes) { _, count in
          var opened: [SessionIdentifier] = []
          opened.reserveCapacity(count)
          for _ in 0..<count {
            opened.append(try await application.requestSceneSessionActivation(nil).id)
          }
          sessions.append(opened)
        }
      }
      report(opening)
      let identifiers = sessions.all
      if parts.contains(.delivery) {
        try await measureMessages(application, identifiers, stopwatch)
      }
      if parts.contains(.calls) {
        try await measureCalls(application, identifiers, stopwatch)
      }
      if parts.contains(.requests) {
        try await measureRequests(application, identifiers, stopwatch)
      }
    }
  }

  private func measureMessages(
    _ application: Application, _ sessions: [SessionIdentifier], _ stopwatch: Stopwatch
  ) async throws {
    let payloads: [(String, SceneMessage)] = [
      ("message of 32 bytes", SceneMessage([UInt8](repeating: 7, count: 32))),
      ("message of 64 bytes, reference-counted", SceneMessage([UInt8](repeating: 7, count: 64))),
    ]
    for (name, message) in payloads {
      let delivery = try await stopwatch.measure("\(name), 2 producers", messages * 2) {
        try await withThrowingTaskGroup { group in
          for producer in 0..<2 {
            group.addTask {
              var random = SplitMix64(seed: UInt64(producer))
              for _ in 0..<messages {
                try await application.sendAwaitingRoom(
                  message, to: sessions[random.number(below: sessions.count)])
              }
            }
          }
          try await group.waitForAll()
        }
        await application.settle()
      }
      report(delivery)
    }
  }

  private func measureCalls(
    _ application: Application, _ sessions: [SessionIdentifier], _ stopwatch: Stopwatch
  ) async throws {
    let calls = messages
    let result = try await stopwatch.measure("call with reply", calls) {
      try await concurrently(calls) { caller, count in
        var random = SplitMix64(seed: UInt64(caller))
        let message: SceneMessage = "0123456789abcdef0123456789abcdef"
        for _ in 0..<count {
          _ = try await application.call(
            message, to: sessions[random.number(below: sessions.count)])
        }
      }
    }
    report(result)
  }

  private func measureRequests(
    _ application: Application, _ sessions: [SessionIdentifier], _ stopwatch: Stopwatch
  ) async throws {
    try await each(sessions, "to the background", stopwatch) {
      try await application.host.background($0)
    }
    for _ in 0..<4 {
      try await each(sessions, "refresh", stopwatch) {
        try await application.requestSceneSessionRefresh($0)
      }
    }
    try await each(sessions, "disconnect", stopwatch) { try await application.host.disconnect($0) }
    try await each(sessions, "reconnect, to the foreground", stopwatch) {
      try await application.requestSceneSessionActivation($0)
    }
    try await each(sessions, "destroy", stopwatch) {
      try await application.requestSceneSessionDestruction($0)
    }
  }

  /// Makes one request of each session, all callers together.
  private func each(
    _ sessions: [SessionIdentifier], _ name: String, _ stopwatch: Stopwatch,
    _ body: @escaping @Sendable (SessionIdentifier) async throws -> Void
  ) async throws {
    let callers = callers
    let result = try await stopwatch.measure(name, sessions.count) {
      try await concurrently(sessions.count) { caller, count in
        let first = caller * (sessions.count / callers)
        for index in first..<first + count { try await body(sessions[index]) }
      }
    }
    report(result)
  }

  // MARK: - Support

  private func makeApplication(
    _ makeDelegate: @escaping @Sendable () -> some SceneDelegate & SendableMetatype
  ) -> Application {
    var settings = ApplicationSettings()
    settings.shards = shards
    if let sceneLimit {
      var policy = DisconnectionPolicy()
      policy.sceneLimit = sceneLimit
      settings.disconnectionPolicy = policy
    }
    return Application(
      manifest: [SceneConfiguration("Measured", makeDelegate)], settings: settings,
      log: Logger(label: "measure") { _ in SwiftLogNoOpLogHandler() })
  }

  private func running(
    _ application: Application, _ body: @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { try await application.run() }
      try await body()
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  /// Shares a number of operations among the callers; the last one takes the remainder.
  private func concurrently(
    _ operations: Int,
    _ body: @escaping @Sendable (_ caller: Int, _ count: Int) async throws -> Void
  ) async throws {
    let share = operations / callers
    try await withThrowingTaskGroup { group in
      for caller in 0..<callers {
        let count = caller == callers - 1 ? operations - share * caller : share
        group.addTask { try await body(caller, count) }
      }
      try await group.waitForAll()
    }
  }
}

/// Values that several tasks collect.
private final class Collected<Value: Sendable>: Sendable {
  private let storage = Guarded<[Value]>([])

  var all: [Value] { storage.withLock { $0 } }

  func append(_ values: [Value]) {
    storage.withLock { $0.append(contentsOf: values) }
  }
}
