// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// The epoch in which each session is written.
///
/// There is one for all sessions, until slices of them get epochs of their own: a slice is what the
/// first bits of an identifier name.
final class EpochTable: Sendable {
  private let common = Atomic<UInt32>(0)
  private let isSliced = Atomic<Bool>(false)
  private let slices = Guarded<(bits: Int, epochs: [UInt32])>((0, []))

  /// The epoch of the last load.
  var ofLoad: UInt32 { common.load(ordering: .relaxed) }

  /// Begins the epoch of a load.
  func begin(_ epoch: UInt32) {
    common.store(epoch, ordering: .relaxed)
  }

  /// Gives slices epochs of their own.
  ///
  /// - Parameters:
  ///   - epochs: The epochs by slice.
  ///   - bits: How many bits of an identifier name its slice.
  func set(_ epochs: [Int: UInt32], bits: Int) {
    let ofLoad = ofLoad
    slices.withLock { slices in
      if slices.epochs.isEmpty {
        slices = (bits, [UInt32](repeating: ofLoad, count: 1 << bits))
      }
      for (slice, epoch) in epochs { slices.epochs[slice] = epoch }
    }
    isSliced.store(true, ordering: .releasing)
  }

  /// The epoch of a session.
  @inline(__always)
  subscript(session: SessionIdentifier) -> UInt32 {
    guard isSliced.load(ordering: .acquiring) else { return ofLoad }
    return slices.withLock { $0.epochs[session.slice(bits: $0.bits)] }
  }
}
