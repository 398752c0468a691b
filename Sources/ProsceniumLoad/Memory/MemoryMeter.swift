// SPDX-License-Identifier: Apache-2.0

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
