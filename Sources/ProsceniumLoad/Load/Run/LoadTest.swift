// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
import Foundation
import Logging
public import Proscenium
import ProsceniumPrimitives
import ProsceniumSQLite
import ProsceniumSimulation

/// Runs a scenario, and says whether the promises held.
///
/// The population is opened, events are sent as the scenario says while the system strikes, and
/// then every session is asked what it remembers: what was accepted has to be there, once and in
/// its order. With a store on a disk they are asked again after another launch.
public struct LoadTest: Sendable {
  /// Where the sessions are kept.
  public enum Place: Sendable, Hashable {
    /// In memory.
    case memory
    /// In a new folder inside of one, which is removed afterwards.
    case folder(String)
    /// In a file that stays; it must not be there before.
    case file(String)
  }

  /// What the test is doing.
  public enum Step: Sendable, Hashable {
    /// Sessions are opened: so many of so many.
    case opening(Int, Int)
    /// Events are sent and not counted yet.
    case warmingUp
    /// Events are sent and counted.
    case running
    /// Sessions are asked what they remember.
    case verifying(Int, Int)
    /// The same load is sent to queues with nothing behind them.
    case measuringFloor
  }

  /// What is shown while it runs.
  public enum Progress: Sendable {
    /// A step has begun, or gone on.
    case step(Step)
    /// A second is over.
    case sample(LoadSample)
  }

  /// How long events are counted at most for the floor, in seconds.
  private static let longestFloor = 5.0

  /// What is run.
  public let scenario: LoadScenario

  let place: Place
  let clock: ContinuousClock
  let meter: any MemoryMeter
  let show: @Sendable (Progress) -> Void
  let isInterrupted: @Sendable () -> Bool

  /// What accompanies each application, or nil for nothing.
  public var companion: LoadCompanion?

  /// Where the metrics of the applications go; the process's own unless set.
  public var metrics: any MetricsFactory = MetricsSystem.factory

  /// Whether the same load is sent again, to queues with nothing behind them: what the machine and
  /// the generator allow.
  public var measuresFloor = false
  /// Puts an object that makes mistakes before each delegate, for tests that the verdict sees them.
  package var makeFront: (@Sendable (any SceneDelegate) -> any SceneDelegateFront)?

  /// Prepares a test.
  ///
  /// - Parameters:
  ///   - scenario: What is run, with everything in its range.
  ///   - place: Where the sessions are kept.
  ///   - clock: Times everything.
  ///   - meter: Reads the allocator.
  ///   - show: Receives progress, one call after another.
  ///   - isInterrupted: Whether the load is to end now; what ran until then is verified.
  public init(
    _ scenario: LoadScenario, in place: Place, clock: ContinuousClock, meter: any MemoryMeter,
    show: @escaping @Sendable (Progress) -> Void = { _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.scenario = scenario
    self.place = place
    self.clock = clock
    self.meter = meter
    self.show = show
    self.isInterrupted = isInterrupted
  }

  /// Runs the test.
  ///
  /// - Returns: What was measured, and what was not as it is promised.
  /// - Throws: What the system or the store refuses.
  @concurrent
  public func run() async throws -> LoadSummary {
    let store = try LoadStore(place)
    do {
      var run = LoadRun(self, store)
      var summary = try await run.run()
      await store.close()
      if measuresFloor, !summary.isInterrupted {
        show(.step(.measuringFloor))
        summary.floor = try await measureFloor()
      }
      return summary
    } catch {
      await store.close()
      throw error
    }
  }

  /// Sends the same load to queues with nothing behind them.
  @concurrent
  private func measureFloor() async throws -> LatencyHistogram {
    var plain = scenario
    switch plain.end {
    case .seconds(let seconds): plain.end = .seconds(min(seconds, Self.longestFloor))
    case .events(let events):
      let most = (scenario.intendedRate ?? .infinity) * Self.longestFloor
      plain.end = .events(Int(min(Double(events), most)))
    }
    let test = LoadTest(
      plain, in: .memory, clock: clock, meter: meter, isInterrupted: isInterrupted)
    var run = LoadRun(test, try LoadStore(.memory))
    return try await run.measureFloor()
  }
}

/// Something that accompanies the applications of a load test, such as a live page.
///
/// A test can launch several applications, one after another; each is accompanied.
public struct LoadCompanion: Sendable {
  let see: @Sendable (LifecycleEvent) -> Void
  let accompany: @Sendable (Application, @escaping @Sendable () -> Void) async throws -> Void

  /// Creates a companion.
  ///
  /// - Parameters:
  ///   - see: Takes note of an event, in the task in which it happens; it must be short.
  ///   - accompany: Is given an application, and calls its second parameter once, when the load may
  ///     begin; it goes on until its task is cancelled. What it throws ends the test.
  public init(
    see: @escaping @Sendable (LifecycleEvent) -> Void,
    accompany:
      @escaping @Sendable (Application, @escaping @Sendable () -> Void) async throws -> Void
  ) {
    self.see = see
    self.accompany = accompany
  }
}

/// The store of a load test, which can be opened again as after another launch.
final class LoadStore: Sendable {
  private let place: LoadTest.Place
  private let memory = InMemorySessionStore()
  private let file = Guarded<SQLiteSessionStore?>(nil)

  /// Makes what the store needs on the disk.
  init(_ place: LoadTest.Place) throws {
    self.place = place
    if let folder = place.temporaryFolder {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
  }

  /// Whether it survives the process.
  var isDurable: Bool { place != .memory }

  /// The store, opened if it is not.
  func opened() throws -> any SessionStore {
    guard let path else { return memory }
    if let open = file.withLock({ $0 }) { return open }
    let opened = try SQLiteSessionStore(
      path: path, key: FileKeyProvider(path: path + ".key", createsIfMissing: true))
    file.withLock { $0 = opened }
    return opened
  }

  /// Closes the file, so that the next launch opens it again.
  func closeFile() async throws {
    try await file.withLock { $0.take() }?.close()
  }

  /// How many bytes the file has.
  var bytes: Int {
    guard let path else { return 0 }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Closes the file, and removes what is not to stay.
  func close() async {
    // What it throws was said when it was closed the first time.
    try? await closeFile()
    if let folder = place.temporaryFolder { try? FileManager.default.removeItem(atPath: folder) }
  }

  private var path: String? {
    if case .file(let path) = place {
      path
    } else {
      place.temporaryFolder.map { $0 + "/sessions.db" }
    }
  }
}

extension LoadTest.Place {
  /// The folder that does not stay; nil for none.
  package var temporaryFolder: String? {
    guard case .folder(let folder) = self else { return nil }
    // With the number of the process: no other one has it as long as this one lives.
    return "\(folder)/proscenium-load-\(ProcessInfo.processInfo.processIdentifier)"
  }
}
