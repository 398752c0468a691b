// SPDX-License-Identifier: Apache-2.0

import CProscenium
import Synchronization

/// Tells when nobody can be reading any more what was taken out of a shared structure.
///
/// Readers take no lock: they count themselves in and out, each thread in a cache line of its own.
/// There are two counters a stripe; new readers use the one of the current phase. A writer may turn
/// the phase once the other counter is at zero. What was taken out is free after two turns: each of
/// them has found another of the two counters at zero, so that no reader is left who could have
/// seen it, also none that was slow between reading the phase and counting itself in. Nobody ever
/// waits: a turn that is not possible yet is tried again later.
@safe
struct GracePeriods: ~Copyable, Sendable {
  private struct Stripe: ~Copyable {
    let first = Atomic<Int>(0)
    let second = Atomic<Int>(0)
    // Two lines, since processors fetch them in pairs.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
      (0, 0, 0, 0, 0, 0, 0)
    private let morePadding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
      (0, 0, 0, 0, 0, 0, 0)
  }

  /// Where a reader has counted itself in.
  struct Visit {
    fileprivate let stripe: Int
    fileprivate let isSecond: Bool
  }

  private static let stripeCount = 32

  private let stripes: UInt
  /// How often the phase was turned; its lowest bit is the phase.
  private let turns = Atomic<Int>(0)

  init() {
    let memory = UnsafeMutablePointer<Stripe>.allocate(capacity: Self.stripeCount)
    for index in 0..<Self.stripeCount { unsafe (memory + index).initialize(to: Stripe()) }
    stripes = UInt(bitPattern: memory)
  }

  deinit {
    unsafe memory.deallocate()
  }

  @inline(__always)
  private var memory: UnsafeMutablePointer<Stripe> {
    unsafe UnsafeMutablePointer(bitPattern: stripes).unsafelyUnwrapped
  }

  /// Counts a reader in; until it has left, nothing that it can find is freed.
  @inline(__always)
  func enter() -> Visit {
    let stripe = Int(proscenium_thread_stripe()) & (Self.stripeCount - 1)
    let isSecond = turns.load(ordering: .relaxed) & 1 == 1
    // Sequentially consistent: nothing may be read before the reader is counted.
    if isSecond {
      unsafe memory[stripe].second.wrappingAdd(1, ordering: .sequentiallyConsistent)
    } else {
      unsafe memory[stripe].first.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }
    #if !(arch(x86_64) || arch(arm64))
      // On those two the addition is a barrier for later loads; elsewhere it need not be one.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
    #endif
    return Visit(stripe: stripe, isSecond: isSecond)
  }

  /// Counts a reader out.
  @inline(__always)
  func leave(_ visit: Visit) {
    if visit.isSecond {
      unsafe memory[visit.stripe].second.wrappingSubtract(1, ordering: .releasing)
    } else {
      unsafe memory[visit.stripe].first.wrappingSubtract(1, ordering: .releasing)
    }
  }

  /// Turns the phase if all readers of the other one have left; for one writer at a time.
  ///
  /// - Returns: Whether it was turned.
  func turn() -> Bool {
    // Ordered after everything that was taken out before.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let turn = turns.load(ordering: .relaxed)
    var readers = 0
    for stripe in 0..<Self.stripeCount {
      readers +=
        turn & 1 == 1
        ? unsafe memory[stripe].first.load(ordering: .acquiring)
        : unsafe memory[stripe].second.load(ordering: .acquiring)
    }
    guard readers == 0 else { return false }
    turns.store(turn + 1, ordering: .sequentiallyConsistent)
    return true
  }
}
