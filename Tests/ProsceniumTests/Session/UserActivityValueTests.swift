// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct UserActivityValueTests {
  typealias Value = UserActivity.Value

  static let propertyLists: [PropertyListValue] = [
    "1", 1, 1.0, .real(.nan), true, .date(Date(timeIntervalSinceReferenceDate: 1)), .data([1]),
    [1, ["a"]], [:], ["a": ["b": [true, .data([])]]],
  ]

  static let others: [Value] = [
    .null, .set([]), .set([1, .null]), .url("1"), [.null], ["a": .url("1")],
    ["a": [1, ["b": .set([1])]]],
  ]

  @Test(arguments: propertyLists)
  func `a property list comes back the same`(value: PropertyListValue) {
    #expect(Value(value).propertyList == value)
  }

  @Test(arguments: others)
  func `a value that holds null, a set or a URL is no property list`(value: Value) {
    #expect(value.propertyList == nil)
  }

  @Test func `a value equals itself and no value of another type or content`() {
    let distinct = Self.propertyLists.map(Value.init) + Self.others
    for (index, value) in distinct.enumerated() {
      for (other, candidate) in distinct.enumerated() {
        #expect((candidate == value) == (other == index))
      }
    }
    #expect(Set(distinct + distinct).count == distinct.count)
  }

  @Test func `literals choose the type`() {
    #expect("a" as Value == .string("a"))
    #expect(1 as Value == .integer(1))
    #expect(1.0 as Value == .real(1))
    #expect(false as Value == .boolean(false))
    #expect([1, .null] as Value == .array([.integer(1), .null]))
    #expect(["k": 1, "k": 2] as Value == .dictionary(["k": .integer(2)]))
  }

  @Test(arguments: propertyLists.map(Value.init) + others)
  func `exactly the accessor of its type gives a value`(value: Value) {
    let rebuilt: [Value?] = [
      value.string.map { .string($0) }, value.integer.map { .integer($0) },
      value.real.map { .real($0) }, value.boolean.map { .boolean($0) },
      value.date.map { .date($0) }, value.data.map { .data($0) },
      value.array.map { .array($0) }, value.dictionary.map { .dictionary($0) },
      value.isNull ? .null : nil, value.set.map { .set($0) }, value.url.map { .url($0) },
    ]
    #expect(rebuilt.compactMap { $0 } == [value])
  }
}
