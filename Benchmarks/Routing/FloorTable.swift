// SPDX-License-Identifier: Apache-2.0

import CFloors
import ProsceniumLoad

/// The floor of routing: a hash table in C from the identifiers of a workload to their sessions.
///
/// What a router adds to it are all other predicates, the order among several matches, changes, and
/// being asked from several threads.
final class FloorTable: Sendable {
  // As numbers, because pointers cannot be shared among tasks. Nothing changes the table after
  // `init`.
  private let table: UInt
  private let lookups: [floor_lookup]
  // Keeps the bytes in memory that `lookups` names by their addresses.
  private let texts: [String]

  /// Enters the identifier of every session, in the order of the sessions.
  init(_ workload: RoutingWorkload) {
    texts = workload.lookups
    lookups = zip(texts, workload.expected).map { text, expected in
      precondition(text.utf8.count > 15, "a shorter text has no address of its own")
      let address = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
        UInt(bitPattern: bytes.baseAddress)
      }
      return floor_lookup(
        bytes: address ?? 0, length: UInt32(text.utf8.count), expected: expected)
    }
    let table = unsafe floor_table_create(workload.sessions)
    // Not in the order of the lookups: the processor would read copies ahead that are neighbours.
    for lookup in lookups.sorted(by: { $0.expected < $1.expected }) {
      let isThere = unsafe floor_table_insert(table, lookup)
      precondition(isThere, "there is no memory for the floor's table")
    }
    self.table = UInt(bitPattern: table)
  }

  deinit {
    unsafe floor_table_destroy(OpaquePointer(bitPattern: table))
  }

  /// Looks up a range of the workload's lookups.
  ///
  /// - Parameter range: Positions among the lookups.
  /// - Returns: How many led to another session than the expected one.
  func countWrong(_ range: Range<Int>) -> Int {
    unsafe lookups.withUnsafeBufferPointer { lookups in
      let slice = unsafe UnsafeBufferPointer(rebasing: lookups[range])
      let table = unsafe OpaquePointer(bitPattern: table)
      return unsafe floor_table_count_wrong(table, slice.baseAddress, slice.count)
    }
  }
}
