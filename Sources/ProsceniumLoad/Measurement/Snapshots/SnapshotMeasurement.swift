// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import CSealingFloor
import Foundation
import Proscenium
import ProsceniumSQLite

/// The sessions that several tasks have opened.
private final class Opened: Sendable {
  private let identifiers = Guarded<[SessionIdentifier]>([])

  var all: [SessionIdentifier] { identifiers.withLock { $0 } }

  func append(_ identifier: SessionIdentifier) {
    identifiers.withLock { $0.append(identifier) }
  }
}

/// Measures saved states on their way from a scene to the disk and back, beside the floor that the
/// machine allows and beside plain rows, in one run and on one disk.
public struct SnapshotMeasurement: Sendable {
  /// A group of workloads.
  public enum Part: String, CaseIterable, Sendable {
    /// How many states a second become durable.
    case rate
    /// How long one takes.
    case latency
    /// Encoding and decoding.
    case codec
    /// How many are read a second.
    case restore
    /// A launch with many sessions.
    case launch
  }

  /// What is measured.
  public var parts = Set(Part.allCases)

  /// How many sessions are overwritten.
  public var sessions = 100_000

  /// How many sessions a launch finds.
  public var storedSessions = 1_000_000

  /// How long each rate is measured, in seconds.
  public var seconds = 10.0

  /// How many shards the runtime has.
  public var shards = 64

  let folder: String
  let clock: ContinuousClock
  let meter: (any MemoryMeter)?
  let report: @Sendable (MeasuredFigure) -> Void

  /// How large a sealed record of a draft is, about.
  static let recordSize = 700

  /// Creates a measurement.
  ///
  /// - Parameters:
  ///   - folder: An existing folder on the disk that is measured; what is written there is removed.
  ///   - clock: Times the workloads.
  ///   - meter: Counts allocations, if the program has a counting allocator.
  ///   - report: Receives each figure as soon as it is there.
  public init(
    folder: String, clock: ContinuousClock, meter: (any MemoryMeter)? = nil,
    report: @escaping @Sendable (MeasuredFigure) -> Void
  ) {
    self.folder = folder
    self.clock = clock
    self.meter = meter
    self.report = report
  }

  /// Runs all workloads, one after another.
  ///
  /// - Throws: What the system or the store refuses.
  @concurrent
  public func run() async throws {
    if parts.contains(.codec) { try measureCodec() }
    if parts.contains(.rate) { try await measureRates() }
    if parts.contains(.latency) { try await measureLatency() }
    if parts.contains(.restore) { try await measureRestoring() }
    if parts.contains(.launch) { try await measureLaunch() }
  }

  // MARK: - Rates

  private func measureRates() async throws {
    let floor = try floorRate()
    report(MeasuredFigure("floor in C: seal, append, sync, groups of 256", floor, .rate))
    let rival = try inFolder { folder in
      let run = try UpsertRival(path: folder + "/rows.db", sessions: sessions)
        .run(bytes: Self.recordSize, seconds: seconds, clock: clock)
      return Double(run.0) / run.1
    }
    report(MeasuredFigure("plain rows, replaced in groups of 256", rival, .rate))
    try await inFolder { folder in
      try await measureOverwriting(in: folder, floor: floor, rival: rival)
    }
  }

  private func floorRate() throws -> Double {
    try inFolder { folder in
      var elapsed = 0.0
      let count = unsafe floor_seal_and_append(
        folder + "/floor.log", Self.recordSize, 256, UInt64(seconds * 1e9), &elapsed)
      guard count >= 0 else { throw ByteFile.failure(errno) }
      return Double(count) / elapsed
    }
  }

  private func measureOverwriting(in folder: String, floor: Double, rival: Double) async throws {
    let measured = try MeasuredStore(folder: folder, clock: clock)
    let application = measured.application(shards: shards)
    try await running(application) {
      let identifiers = try await open(sessions, application)
      for skew in Skew.allCases {
        let rate = try await overwrite(
          identifiers, skew, application, measured, "sealed states, \(skew.rawValue)")
        report(MeasuredFigure("  of the floor", rate / floor, .plain))
        report(MeasuredFigure("  of plain rows", rate / rival, .plain))
      }
      try await withThrowingTaskGroup { group in
        let churn = Churn(application: application, perSecond: 10_000, clock: clock)
        group.addTask { try await churn.run(seconds: seconds) }
        _ = try await overwrite(
          identifiers, .uniform, application, measured,
          "sealed states beside 10,000 new and 10,000 discarded sessions a second",
          isBesideOthers: true)
        try await group.waitForAll()
        report(MeasuredFigure("  new sessions", churn.createdRate, .rate))
        report(MeasuredFigure("  discarded sessions", churn.discardedRate, .rate))
        report(MeasuredFigure("  requests refused", Double(churn.refused), .plain))
      }
    }
    try await measured.store.close()
  }

  /// How sessions are chosen.
  private enum Skew: String, CaseIterable {
    case uniform
    case zipf = "by Zipf's law"
  }

  /// Sends messages to sessions chosen at random, and counts the states that become durable: each
  /// is captured, encoded, sealed and committed, and is written unless a newer one of its session
  /// is in the same commit.
  ///
  /// Beside other work, producers wait now and then for their own states, as clients do: otherwise
  /// everybody would wait behind all that they have sent.
  private func overwrite(
    _ identifiers: [SessionIdentifier], _ skew: Skew, _ application: Application,
    _ measured: MeasuredStore, _ name: String, isBesideOthers: Bool = false
  ) async throws -> Double {
    _ = measured.commits.take()
    let before = measured.store.statistics
    let changesBefore = application.durabilityReport.changes
    let table = skew == .zipf ? ZipfTable(count: identifiers.count) : nil
    let processor = ProcessorTime.used
    let start = clock.now
    let end = start.advanced(by: .seconds(seconds))
    try await withThrowingTaskGroup { group in
      for producer in 0..<(isBesideOthers ? 8 : 2) {
        group.addTask {
          var random = SplitMix64(seed: UInt64(producer))
          while clock.now < end {
            for _ in 0..<256 {
              let index = table?.rank(&random) ?? random.number(below: identifiers.count)
              try await application.sendAwaitingRoom("edit", to: identifiers[index])
            }
            if isBesideOthers {
              let index = random.number(below: identifiers.count)
              try await application.sendDurably("edit", to: identifiers[index])
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await application.sendDurably("last", to: identifiers[0])
    while application.durabilityReport.waiting > 0 { await Task.yield() }
    let elapsed = start.duration(to: clock.now) / .seconds(1)
    let after = measured.store.statistics
    let times = measured.commits.take()
    let written = Double(max(after.records - before.records, 1))
    let durable = Double(application.durabilityReport.changes - changesBefore)
    // Beside new sessions there are other changes.
    let rate = (isBesideOthers ? written : durable) / elapsed
    report(
      MeasuredFigure(name, rate, .rate, processors: (ProcessorTime.used - processor) / elapsed))
    if !isBesideOthers { report(MeasuredFigure("  written", written / elapsed, .rate)) }
    for (label, share) in [("p50", 0.5), ("p99", 0.99), ("max", 1)] {
      report(MeasuredFigure("  commit \(label)", times.sorted.percentile(share), .seconds))
    }
    report(
      MeasuredFigure(
        "  states in a commit", Double(times.records) / Double(max(times.sorted.count, 1)), .plain))
    report(
      MeasuredFigure(
        "  moved by compaction, for each written",
        Double(after.movedRecords - before.movedRecords) / written, .plain))
    report(
      MeasuredFigure(
        "  file, for each live byte", measured.bytes() / Double(max(after.liveBytes, 1)), .plain))
    report(MeasuredFigure("  log", measured.bytes(ofLog: true), .bytes))
    return rate
  }

  // MARK: - Support

  /// Opens sessions in the background, each with a saved state.
  func open(_ count: Int, _ application: Application) async throws -> [SessionIdentifier] {
    let opened = Opened()
    try await withThrowingTaskGroup { group in
      for part in 0..<256 {
        let share = count / 256 + (part < count % 256 ? 1 : 0)
        group.addTask {
          for _ in 0..<share {
            // Each waits for its commit, so that none is refused while the store is behind.
            let session = try await application.requestSceneSessionActivation(nil)
            try await application.sendDurably("first", to: session)
            opened.append(session.id)
          }
        }
      }
      try await group.waitForAll()
    }
    while application.durabilityReport.waiting > 0 { await Task.yield() }
    return opened.all
  }

  /// Runs an application around a body.
  func running(
    _ application: Application, _ body: () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup { group in
      // It runs until the group is cancelled, when the body has returned.
      group.addTask { try await application.run() }
      try await body()
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  /// Calls a function with a new folder, which is removed afterwards.
  func inFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  /// Calls a function with a new folder, which is removed afterwards.
  func inFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
  }

  private func makeFolder() throws -> String {
    try FileManager.default.createDirectory(
      atPath: temporaryFolder, withIntermediateDirectories: false)
    return temporaryFolder
  }

  /// Removes what a measurement has written so far, before the process ends in the middle of it.
  public func removeFolder() {
    try? FileManager.default.removeItem(atPath: temporaryFolder)
  }

  /// With the number of the process: nobody else has it meanwhile.
  private var temporaryFolder: String {
    "\(folder)/proscenium-measured-\(ProcessInfo.processInfo.processIdentifier)"
  }
}
