// SPDX-License-Identifier: Apache-2.0

import Logging
import Proscenium

/// The counters of an allocator, every thread's included.
public struct MemoryReading: Hashable, Sendable {
  /// The bytes that the program has allocated and not freed.
  public var allocated: Int
  /// The bytes of memory that the allocator keeps in use for them.
  public var resident: Int
  /// The bytes of pages in which something is allocated.
  public var active: Int
  /// The bytes of addresses that the allocator keeps, without memory behind them.
  public var retained: Int
  /// The number of allocations since the start of the program.
  public var allocations: Int
  /// The bytes of all of them, as the allocator rounds them up.
  public var bytesEver: Int

  /// Makes a reading.
  public init(
    allocated: Int, resident: Int, active: Int = 0, retained: Int = 0, allocations: Int,
    bytesEver: Int = 0
  ) {
    self.allocated = allocated
    self.resident = resident
    self.active = active
    self.retained = retained
    self.allocations = allocations
    self.bytesEver = bytesEver
  }
}

/// Reads an allocator's counters; a program that links no allocator with counters has no meter.
public protocol MemoryMeter: Sendable {
  /// The counters now, or `nil` if the allocator does not tell.
  ///
  /// What other threads did since they last called ``settleThread()`` may be missing.
  func memory() -> MemoryReading?

  /// Gives memory back to the system that the allocator keeps and nothing uses.
  func releaseUnused()

  /// Adds to the counters what the calling thread did and still keeps to itself.
  func settleThread()
}

/// Measures what one more scene and one more session cost in memory.
///
/// It makes a number of sessions with an empty delegate in an application of its own: first all are
/// connected and idle, then none has a scene. The growth of allocated memory is divided by the
/// number. Nothing else should run at that time.
public struct SessionMemoryProbe: Sendable {
  #if DEBUG
    /// What a debug build needs in memory says nothing.
    private static let usualCount = 1_000
  #else
    private static let usualCount = 20_000
  #endif

  /// How many sessions it makes.
  public let count: Int

  private let meter: any MemoryMeter

  /// Makes a probe.
  ///
  /// - Parameters:
  ///   - count: How many sessions it makes: 1 or more; as many as it takes unless given.
  ///   - meter: Reads the allocator.
  public init(count: Int? = nil, meter: any MemoryMeter) {
    self.count = max(count ?? Self.usualCount, 1)
    self.meter = meter
  }

  /// Measures.
  ///
  /// - Returns: The cost of a connected idle scene together with its session, and that of a session
  ///   without a scene; nothing where the allocator does not tell.
  /// - Throws: What the runtime throws; nothing is expected.
  @concurrent
  public func run() async throws -> [MemoryCost] {
    guard meter.memory() != nil else { return [] }
    return try await Application.withRunning(
      manifest: [SceneConfiguration("Empty") { EmptyDelegate() }],
      log: Logger(label: "probe") { _ in SwiftLogNoOpLogHandler() }
    ) { try await measure($0) }
  }

  private func measure(_ application: Application) async throws -> [MemoryCost] {
    // What the first session of each shard costs once is not the cost of one more.
    for _ in 0..<256 { try await application.activateSceneSession() }
    let before = allocated
    var sessions: [SessionIdentifier] = []
    sessions.reserveCapacity(count)
    let own = allocated - before
    for _ in 0..<count {
      sessions.append(try await application.activateSceneSession().id)
    }
    await application.settle()
    let connected = allocated - before - own
    for session in sessions {
      try await application.host.perform(.background(session))
      try await application.host.perform(.disconnect(session))
    }
    await application.settle()
    let disconnected = allocated - before - own
    return [
      cost("connected idle scene, empty delegate", connected),
      cost("disconnected session", disconnected),
    ]
  }

  private var allocated: Int { meter.memory()?.allocated ?? 0 }

  private func cost(_ name: String, _ bytes: Int) -> MemoryCost {
    MemoryCost(name: name, count: count, bytes: Double(bytes) / Double(count))
  }
}

/// A delegate without a state and without a method.
final class EmptyDelegate: SceneDelegate {}

/// What one scene or session costs in memory.
public struct MemoryCost: Sendable {
  /// What it is the cost of.
  public let name: String

  /// How many there were.
  public let count: Int

  /// The growth of allocated memory divided by the count, in bytes.
  public let bytes: Double
}
