// SPDX-License-Identifier: Apache-2.0

private import CJemalloc
public import ProsceniumLoad

/// Reads the counters of jemalloc, which is the allocator of each program that links this library.
public struct Jemalloc: MemoryMeter {
  // "All arenas together" in the names of jemalloc's statistics.
  private static let allArenas = "stats.arenas.4096"

  /// Makes a meter; all meters of a program read the same counters.
  public init() {}

  /// The counters now, or `nil` if the allocator was built without them.
  ///
  /// What other threads did may be missing: see ``settleThread()``.
  public func memory() -> MemoryReading? {
    settleThread()
    // The counters do not change until the epoch is advanced.
    var epoch: UInt64 = 1
    guard unsafe mallctl("epoch", nil, nil, &epoch, MemoryLayout<UInt64>.size) == 0,
      let allocated = Self.counter("stats.allocated"),
      let resident = Self.counter("stats.resident"),
      let active = Self.counter("stats.active"), let retained = Self.counter("stats.retained"),
      let small = Self.small.requests(), let large = Self.large.requests()
    else { return nil }
    return MemoryReading(
      allocated: allocated, resident: resident, active: active, retained: retained,
      allocations: small.count + large.count, bytesEver: small.bytes + large.bytes)
  }

  /// The sizes in which memory is given away, and the address of the counter that tells how often
  /// one was asked for: a reading that made a name for each would count itself.
  private struct Sizes: Sendable {
    /// The place of a size's number in the address.
    private static let place = 4

    let sizes: [Int]
    private let address: [Int]

    init(number: String, size: String, requests: String) {
      // The number of sizes is an `unsigned`.
      var count: UInt32 = 0
      var length = MemoryLayout<UInt32>.size
      let isKnown = unsafe mallctl(number, &count, &length, nil, 0) == 0
      sizes = (0..<(isKnown ? count : 0)).compactMap { Jemalloc.counter("\(size).\($0).size") }
      var parts = [Int](repeating: 0, count: 6)
      var partCount = parts.count
      let name = "\(allArenas).\(requests).0.nrequests"
      address =
        unsafe mallctlnametomib(name, &parts, &partCount) == 0 && partCount == parts.count
        ? parts : []
    }

    /// How often memory was asked for, and how many bytes that were.
    func requests() -> (count: Int, bytes: Int)? {
      guard !sizes.isEmpty, !address.isEmpty else { return nil }
      var (address, all) = (address, (count: 0, bytes: 0))
      for (index, size) in sizes.enumerated() {
        address[Self.place] = index
        var requests = 0
        var length = MemoryLayout<Int>.size
        guard unsafe mallctlbymib(&address, address.count, &requests, &length, nil, 0) == 0
        else { return nil }
        all.count += requests
        all.bytes += requests * size
      }
      return all
    }
  }

  private static let small = Sizes(number: "arenas.nbins", size: "arenas.bin", requests: "bins")
  private static let large = Sizes(
    number: "arenas.nlextents", size: "arenas.lextent", requests: "lextents")

  /// Gives the pages that hold nothing any more back to the system.
  public func releaseUnused() {
    settleThread()
    _ = unsafe mallctl("arena.4096.purge", nil, nil, nil, 0)
  }

  /// Adds what the calling thread did, and counts by itself, to the counters.
  public func settleThread() {
    // A thread counts in its own cache, and hands the counts over when it empties that.
    _ = unsafe mallctl("thread.tcache.flush", nil, nil, nil, 0)
  }

  // `size_t` and `uint64_t` are as large as `Int` on every 64-bit system.
  private static func counter(_ name: String) -> Int? {
    var value = 0
    var size = MemoryLayout<Int>.size
    guard unsafe mallctl(name, &value, &size, nil, 0) == 0, size == MemoryLayout<Int>.size else {
      return nil
    }
    return value
  }
}
