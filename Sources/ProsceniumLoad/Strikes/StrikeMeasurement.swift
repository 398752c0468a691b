// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Proscenium
import ProsceniumPrimitives
import ProsceniumSQLite

/// Strikes an application under load, on a store on a disk: scenes are disconnected and sessions
/// discarded at a rate, memory is taken away, and everybody comes back at once.
///
/// What was accepted is counted by both ends: each workload says what was lost.
public struct StrikeMeasurement: Sendable {
  /// A workload.
  public enum Part: String, CaseIterable, Sendable {
    /// Disconnects and discards at a rate, under messages at a rate.
    case churn
    /// Nine tenths of the memory are taken away.
    case squeeze
    /// All sessions come back at once.
    case storm
  }

  /// What is run.
  public var parts = Part.allCases

  /// How many sessions there are: 1,000 or more.
  public var sessions = 100_000

  /// How many messages a second are sent.
  public var rate = 520_000

  /// How many scenes a second are disconnected.
  public var disconnects = 10_000

  /// How many sessions a second are discarded, each followed by a new one.
  public var discards = 1_000

  /// How long the strikes last, in seconds.
  public var seconds = 30.0

  /// How many shards the runtime has.
  public var shards = 64

  /// What everything that is drawn is drawn from.
  public var seed: UInt64 = 1

  let folder: String
  let clock: ContinuousClock
  let meter: any MemoryMeter
  let report: @Sendable (MeasuredFigure) -> Void

  /// Creates a measurement.
  ///
  /// - Parameters:
  ///   - folder: An existing folder on the disk of the store; what is written there is removed.
  ///   - clock: Times the workloads.
  ///   - meter: Reads the allocator.
  ///   - report: Receives each figure as soon as it is there.
  public init(
    folder: String, clock: ContinuousClock, meter: any MemoryMeter,
    report: @escaping @Sendable (MeasuredFigure) -> Void
  ) {
    self.folder = folder
    self.clock = clock
    self.meter = meter
    self.report = report
  }

  /// Runs all workloads, one after another.
  ///
  /// - Returns: What was lost, delivered twice, or else not as it is promised; empty if nothing.
  /// - Throws: What the system or the store refuses.
  @concurrent
  public func run() async throws -> [String] {
    var complaints: [String] = []
    for part in parts {
      let found =
        switch part {
        case .churn: try await inFolder { try await strike(in: $0) }
        case .squeeze: try await inFolder { try await squeeze(in: $0) }
        case .storm: try await inFolder { try await storm(in: $0) }
        }
      complaints += found.map { "\(part.rawValue): \($0)" }
    }
    return complaints
  }

  // MARK: - Support

  func application(
    _ store: SQLiteSessionStore, _ audit: StrikeAudit, ballast: Int = 0,
    _ change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Application {
    var settings = ApplicationSettings()
    settings.shards = shards
    settings.observer = { audit.see($0) }
    settings.observedTopics = .lives
    change(&settings)
    return Application(
      manifest: [SceneConfiguration("Counted") { CountingDelegate(audit, ballast: ballast) }],
      store: store, settings: settings,
      log: Logger(label: "measure") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Opens sessions, each with a state that is durable and a scene in the background.
  func open(_ application: Application) async throws -> [SessionIdentifier] {
    let callers = 256
    return try await withThrowingTaskGroup { group in
      for caller in 0..<callers {
        let share = sessions / callers + (caller < sessions % callers ? 1 : 0)
        // Each waits for its own commits: many together share one.
        group.addTask {
          var opened: [SessionIdentifier] = []
          for _ in 0..<share {
            let session = try await application.requestSceneSessionActivation(nil).id
            try await application.sendDurably("first", to: session)
            try await application.host.background(session)
            opened.append(session)
          }
          return opened
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// Asks the scene of each session what it has counted, wherever its scene is.
  ///
  /// - Returns: How many answers are not what is expected.
  func countWrong(
    _ sessions: [SessionIdentifier], _ application: Application, _ audit: StrikeAudit,
    _ expected: @escaping @Sendable (Int) -> EventCounts
  ) async throws -> Int {
    let callers = 64
    return try await withThrowingTaskGroup { group in
      for caller in 0..<callers {
        // Several, so that the processors are not idle between one's calls.
        group.addTask {
          var wrong = 0
          for place in stride(from: caller, to: sessions.count, by: callers) {
            do throws(SceneError) {
              let reply = try await application.call("?", to: sessions[place])
              wrong += EventCounts(text: reply.string) == expected(place) ? 0 : 1
            } catch {
              audit.fail(error)
              wrong += 1
            }
          }
          return wrong
        }
      }
      return try await group.reduce(0, +)
    }
  }

  /// Runs an application around a body, and ends it in order.
  func running<Success: Sendable>(
    _ application: Application, _ body: @escaping @Sendable () async throws -> Success
  ) async throws -> Success {
    try await application.whileRunning { _ in try await body() }
  }

  /// What the allocator has now.
  var used: MemoryReading {
    meter.memory() ?? MemoryReading(allocated: 0, resident: 0, allocations: 0)
  }

  func seconds(since start: ContinuousClock.Instant) -> Double {
    start.duration(to: clock.now) / .seconds(1)
  }

  private func inFolder<Success>(_ body: (String) async throws -> Success) async throws -> Success {
    let own = Self.temporaryFolder(in: folder)
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: own) }
    return try await body(own)
  }

  /// The folder that a measurement makes in one, and removes.
  ///
  /// With the number of the process: no other one has it as long as this one lives.
  package static func temporaryFolder(in folder: String) -> String {
    "\(folder)/proscenium-struck-\(ProcessInfo.processInfo.processIdentifier)"
  }
}
