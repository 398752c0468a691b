// SPDX-License-Identifier: Apache-2.0

import CJemalloc
import ProsceniumLoad

/// Reads the counters of jemalloc, which the program links as its allocator.
struct Jemalloc: MemoryMeter {
  // "All arenas together" in the names of jemalloc's statistics.
  private static let allArenas = "stats.arenas.4096"

  func memory() -> MemoryReading? {
    settleThread()
    // The counters stand still until the epoch is advanced.
    var epoch: UInt64 = 1
    guard unsafe mallctl("epoch", nil, nil, &epoch, MemoryLayout<UInt64>.size) == 0,
      let allocated = counter("stats.allocated"), let resident = counter("stats.resident"),
      let active = counter("stats.active"), let retained = counter("stats.retained"),
      let small = requests(Self.small), let large = requests(Self.large)
    else { return nil }
    return MemoryReading(
      allocated: allocated, resident: resident, active: active, retained: retained,
      allocations: small.count + large.count, bytesEver: small.bytes + large.bytes)
  }

  /// The sizes in which memory is given away: how many there are, how large each is, and how often
  /// it was asked for.
  private struct Sizes {
    let count: String
    let size: String
    let requests: String
  }

  private static let small = Sizes(
    count: "arenas.nbins", size: "arenas.bin", requests: "\(allArenas).bins")
  private static let large = Sizes(
    count: "arenas.nlextents", size: "arenas.lextent", requests: "\(allArenas).lextents")

  private func requests(_ sizes: Sizes) -> (count: Int, bytes: Int)? {
    var all = (count: 0, bytes: 0)
    // The number of sizes is an `unsigned`.
    var number: UInt32 = 0
    var length = MemoryLayout<UInt32>.size
    guard unsafe mallctl(sizes.count, &number, &length, nil, 0) == 0 else { return nil }
    for index in 0..<number {
      guard let size = counter("\(sizes.size).\(index).size"),
        let requests = counter("\(sizes.requests).\(index).nrequests")
      else { return nil }
      all.count += requests
      all.bytes += requests * size
    }
    return all
  }

  func releaseUnused() {
    settleThread()
    _ = unsafe mallctl("arena.4096.purge", nil, nil, nil, 0)
  }

  func settleThread() {
    // A thread counts in its own cache, and hands the counts over when it empties that.
    _ = unsafe mallctl("thread.tcache.flush", nil, nil, nil, 0)
  }

  // `size_t` and `uint64_t` are as large as `Int` on every 64-bit system.
  private func counter(_ name: String) -> Int? {
    var value = 0
    var size = MemoryLayout<Int>.size
    guard unsafe mallctl(name, &value, &size, nil, 0) == 0, size == MemoryLayout<Int>.size else {
      return nil
    }
    return value
  }
}
