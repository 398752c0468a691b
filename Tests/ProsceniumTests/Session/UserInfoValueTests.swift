// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct UserInfoValueTests {
  static let propertyLists: [UserInfoValue] = [
    "1", "", 1, 0, 1.0, 0.5, .real(.nan), true, false,
    .date(Date(timeIntervalSinceReferenceDate: 1)), .date(Date(timeIntervalSinceReferenceDate: 0)),
    .data([1]), .data([]), [1], [], [1.0], [[]], [1, 2], [2, 1], ["a": 1], [:], ["a": 1.0],
    ["a": ["b": [true]]], ["a": ["b": [false]]], ["a": ["b": [true, .data([])]]],
  ]

  static let others: [UserInfoValue] = [
    .null, .set([]), .set([1, .null]), .url("1"), [.null], ["a": .url("1")],
    ["a": [1, ["b": .set([1])]]],
  ]

  static let distinct = propertyLists + others

  @Test func `a value that holds null, a set or a URL is no property list`() {
    #expect(Self.distinct.filter { $0.isPropertyList } == Self.propertyLists)
  }

  @Test func `a value fits in three words`() {
    #expect(MemoryLayout<UserInfoValue?>.stride == 24)
  }

  @Test(arguments: distinct.indices)
  func `a value equals itself and no value of another type or content`(index: Int) {
    for (other, value) in Self.distinct.enumerated() {
      #expect((value == Self.distinct[index]) == (other == index))
    }
  }

  @Test func `as many hashes as values are kept apart by a set`() {
    #expect(Set(Self.distinct + Self.distinct).count == Self.distinct.count)
  }

  @Test func `reals that are not a number are one value`() {
    let quiet = UserInfoValue.real(.nan)
    let other = UserInfoValue.real(-Double(nan: 7, signaling: false))
    #expect(quiet == other)
    #expect(Set([quiet, other]).count == 1)
    let date = UserInfoValue.date(Date(timeIntervalSinceReferenceDate: .nan))
    #expect(date == .date(Date(timeIntervalSinceReferenceDate: .nan)))
    #expect(Set([UserInfoValue.real(0.0), .real(-0.0)]).count == 1)
  }

  @Test func `literals choose the type`() {
    #expect("a" as UserInfoValue == .string("a"))
    #expect(-1 as UserInfoValue == .integer(-1))
    #expect(9_223_372_036_854_775_807 as UserInfoValue == .integer(.max))
    #expect(1.0 as UserInfoValue == .real(1))
    #expect(true as UserInfoValue == .boolean(true))
    #expect([1, .null] as UserInfoValue == .array([.integer(1), .null]))
    #expect([1, "a"] as UserInfoValue == .array([.integer(1), .string("a")]))
    #expect(["k": 1] as UserInfoValue == .dictionary(["k": .integer(1)]))
  }

  @Test func `of two entries with one name in a literal the later counts`() {
    #expect(["k": 1, "j": 0, "k": 2] as UserInfoValue == ["k": 2, "j": 0])
  }

  @Test(arguments: distinct)
  func `exactly the accessor of its type gives a value`(value: UserInfoValue) {
    let rebuilt: [UserInfoValue?] = [
      value.string.map { .string($0) }, value.integer.map { .integer($0) },
      value.real.map { .real($0) }, value.boolean.map { .boolean($0) },
      value.date.map { .date($0) }, value.data.map { .data($0) },
      value.array.map { .array($0) }, value.dictionary.map { .dictionary($0) },
      value.isNull ? .null : nil, value.set.map { .set($0) }, value.url.map { .url($0) },
    ]
    #expect(rebuilt.compactMap { $0 } == [value])
  }
}
