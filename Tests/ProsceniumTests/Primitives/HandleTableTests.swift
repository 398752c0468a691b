// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumPrimitives
import Testing

@Suite struct HandleTableTests {
  @Test func `a handle is found under its hash until it is removed`() {
    var table = HandleTable()
    let handle = UInt32(7)
    #expect(table.find(42) { _ in true } == nil)
    table.insert(handle, 42)
    #expect(table.find(42) { _ in true } == handle)
    #expect(table.find(43) { _ in true } == nil)
    table.remove(handle, 42)
    #expect(table.find(42) { _ in true } == nil)
    #expect(table.count == 0)
  }

  @Test func `handles with one hash are told apart by the caller`() {
    var table = HandleTable()
    let handles = (0..<20).map { UInt32($0) }
    for handle in handles { table.insert(handle, 0xFFFF_FFFF) }
    for handle in handles { #expect(table.find(0xFFFF_FFFF) { $0 == handle } == handle) }
    table.remove(handles[3], 0xFFFF_FFFF)
    #expect(table.find(0xFFFF_FFFF) { $0 == handles[3] } == nil)
    #expect(table.find(0xFFFF_FFFF) { $0 == handles[4] } == handles[4])
    #expect(table.count == 19)
  }

  @Test func `removing what is not there changes nothing`() {
    var table = HandleTable()
    table.insert(UInt32(1), 5)
    table.remove(UInt32(2), 5)
    table.remove(UInt32(1), 6)
    #expect(table.count == 1)
    #expect(table.find(5) { _ in true } == UInt32(1))
  }

  @Test func `a removal closes the gap across the end of the table`() {
    var table = HandleTable()
    // All want the last place, so that two of them wrap around.
    let last: UInt64 = 0xFFFF_FFFF
    for number in 0..<3 { table.insert(UInt32(number), last) }
    table.remove(UInt32(0), last)
    #expect(table.find(last) { $0 == 1 } != nil)
    #expect(table.find(last) { $0 == 2 } != nil)
  }

  @Test func `a large table is never less than two thirds full while it grows`() {
    var table = HandleTable()
    var generator = SplitMix64(seed: 1)
    var emptiest = 1.0
    for number in 0..<50_000 {
      table.insert(UInt32(number), generator.next())
      if number >= 512 {
        emptiest = min(emptiest, Double(table.count) / Double(table.slots.count))
      }
    }
    #expect(emptiest > 2.0 / 3)
  }

  @Test(arguments: 1...30)
  func `it finds what a dictionary finds`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var table = HandleTable()
    var model: [UInt32: UInt64] = [:]
    // Few hashes make many collisions, many make few.
    let hashes: ClosedRange<UInt64> = 0...[3, 50, UInt64.max][Int(seed) % 3]
    var numbers = 0
    for step in 0..<2_000 {
      // Mostly insertions at first, mostly removals at last.
      if Int.random(in: 0..<2_000, using: &generator) >= step || model.isEmpty {
        numbers += 1
        let handle = UInt32(numbers)
        let hash = UInt64.random(in: hashes, using: &generator)
        table.insert(handle, hash)
        model[handle] = hash
      } else if let (handle, hash) = model.randomElement(using: &generator) {
        table.remove(handle, hash)
        model[handle] = nil
      }
    }
    #expect(table.count == model.count)
    let lost = model.filter { handle, hash in table.find(hash) { $0 == handle } != handle }
    #expect(lost.isEmpty)
    let ghosts = (1...max(numbers, 1)).map { UInt32($0) }.filter {
      handle in
      model[handle] == nil && hashes.upperBound <= 50
        && hashes.contains { hash in table.find(hash) { $0 == handle } != nil }
    }
    #expect(ghosts == [])
  }
}
