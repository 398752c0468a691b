// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

@Suite struct AddressListTests {
  private static func addresses(_ list: borrowing AddressList) -> [UInt] {
    var addresses: [UInt] = []
    var cursor = list.cursor
    while let address = cursor.next() { addresses.append(address) }
    return addresses.sorted()
  }

  @Test func `it holds what was added and not removed`() throws {
    for seed in UInt64(1)...10 {
      var random = SplitMix64(seed: seed)
      var retired = RetiredList<UInt>()
      let list = AddressList()
      var right: [UInt] = []
      for step in 0..<400 {
        let isGrowing = step % 200 < 110
        if Int.random(in: 0..<4, using: &random) == 0 ? !isGrowing : isGrowing {
          list.append(UInt(step) + 1, &retired)
          right.append(UInt(step) + 1)
        } else if let index = right.indices.randomElement(using: &random) {
          list.remove(right.remove(at: index), &retired)
        }
        list.remove(9_999, &retired)
        try #require(Self.addresses(list) == right, "seed \(seed), step \(step)")
        let (count, isEmpty) = (list.count, list.isEmpty)
        #expect(count == right.count)
        #expect(isEmpty == right.isEmpty)
      }
      retired.free()
    }
  }

  @Test func `a hole is filled before the list grows`() {
    var retired = RetiredList<UInt>()
    let list = AddressList()
    for address in UInt(1)...8 { list.append(address, &retired) }
    let before = retired.count
    for address in UInt(9)...500 {
      list.remove(address - 5, &retired)
      list.append(address, &retired)
    }
    #expect(retired.count == before)
    #expect(Self.addresses(list) == [1, 2, 3, 496, 497, 498, 499, 500])
    retired.free()
  }

  @Test func `a walk that has begun is not disturbed by a list that is replaced`() {
    var retired = RetiredList<UInt>()
    let list = AddressList()
    for address in UInt(1)...4 { list.append(address, &retired) }
    var cursor = list.cursor
    let first = cursor.next()
    #expect(first == 1)
    list.append(5, &retired)
    list.append(6, &retired)
    for address in [2, 4, 5, 6] as [UInt] { list.remove(address, &retired) }
    // It may still find what was there when it began, but what stays it has to find.
    var rest: [UInt] = []
    while let address = cursor.next() { rest.append(address) }
    #expect(rest.contains(3))
    #expect(Set(rest).isSubset(of: [2, 3, 4]))
    #expect(Self.addresses(list) == [1, 3])
    retired.free()
  }

  @Test func `most of a long list can go without a walk over its holes`() {
    var retired = RetiredList<UInt>()
    let list = AddressList()
    for address in UInt(1)...1_024 { list.append(address, &retired) }
    let before = retired.count
    for address in UInt(1)...1_023 { list.remove(address, &retired) }
    // It was replaced by a shorter one each time that three quarters were holes.
    #expect(retired.count - before >= 4)
    #expect(Self.addresses(list) == [1_024])
    list.remove(1_024, &retired)
    let isEmpty = list.isEmpty
    #expect(isEmpty)
    retired.free()
  }
}
