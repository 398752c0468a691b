// SPDX-License-Identifier: Apache-2.0

import CFloor
import Testing

@testable import ProsceniumLoad

@Suite struct FloorTableTests {
  @Test(arguments: RoutingMix.allCases, [false, true])
  func `every identifier is found`(mix: RoutingMix, prefetches: Bool) throws {
    let workload = try RoutingWorkload(mix, sessions: 1_000, lookups: 2_500, seed: 11)
    let floor = FloorTable(workload)
    for range in [0..<workload.lookups.count, 0..<1, 7..<100, 5..<5] {
      #expect(floor.countWrong(range, prefetches: prefetches) == 0, "\(range)")
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 200])
  func `texts that differ in one byte are told apart`(length: Int) {
    let text = [UInt8](repeating: 0x61, count: length)
    let texts =
      [text] + text.indices.map { index in text.enumerated().map { $0 == index ? 98 : $1 } }
    // What is missing is wrong too: the last text is looked up and not there.
    let absent = [UInt8](repeating: 0x63, count: length + 1)
    let bytes = texts.flatMap(\.self) + absent
    let table = unsafe floor_table_create(texts.count)
    defer { unsafe floor_table_destroy(table) }
    unsafe bytes.withUnsafeBufferPointer { buffer in
      var lookups = texts.indices.map { index in
        floor_lookup(
          bytes: UInt(bitPattern: buffer.baseAddress) + UInt(index * length),
          length: UInt32(length), expected: UInt32(index))
      }
      for lookup in lookups { #expect(unsafe floor_table_insert(table, lookup)) }
      lookups.append(
        floor_lookup(
          bytes: UInt(bitPattern: buffer.baseAddress) + UInt(texts.count * length),
          length: UInt32(length + 1), expected: 0))
      #expect(unsafe !floor_table_insert(table, lookups[texts.count]), "the table is full")
      #expect(unsafe floor_table_count_wrong(table, lookups, lookups.count) == 1)
      #expect(unsafe floor_table_count_wrong_prefetching(table, lookups, lookups.count) == 1)
      lookups[0].expected += 1
      #expect(unsafe floor_table_count_wrong(table, lookups, lookups.count) == 2)
      #expect(unsafe floor_table_count_wrong_prefetching(table, lookups, lookups.count) == 2)
    }
  }
}
