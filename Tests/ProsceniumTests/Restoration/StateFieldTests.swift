// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// Fields that are written one by one are those of an activity that has them all.
@Suite struct StateFieldTests {
  private static let names: [StaticString] = [
    "a", "b", "é", "aa", "ab", "key", "row", "text", "a longer name", "",
    """
    a name of more than one hundred and twenty-seven bytes, so that its length takes two bytes in \
    the encoding, and comes behind shorter ones
    """,
  ]

  /// Writes a value by the function for its kind.
  private static func write(
    _ value: UserInfoValue, _ name: StaticString, _ state: inout StateWriter
  ) {
    switch value {
    case .string(let value): state.write(name, value)
    case .integer(let value): state.write(name, Int(value))
    case .boolean(let value): state.write(name, value)
    case .real(let value): state.write(name, value)
    case .date(let value): state.write(name, value)
    case .data(let value): state.write(name, value)
    case .array(let values) where !values.isEmpty && values.allSatisfy { $0.string != nil }:
      state.write(name, values.compactMap(\.string))
    case .array, .dictionary, .null, .set, .url: state.write(name, value)
    }
  }

  /// Reads a value by the function for its kind.
  private static func read(
    like value: UserInfoValue, _ name: StaticString, _ state: inout StateReader
  ) -> UserInfoValue? {
    switch value {
    case .string: state.string(name).map { .string($0) }
    case .integer: state.integer(name).map { .integer(Int64($0)) }
    case .boolean: state.boolean(name).map { .boolean($0) }
    case .real: state.real(name).map { .real($0) }
    case .date: state.date(name).map { .date($0) }
    case .data: state.data(name).map { .data($0) }
    case .array(let values) where values.allSatisfy { $0.string != nil }:
      state.strings(name).map { .array($0.map { .string($0) }) }
    case .array, .dictionary, .null, .set, .url: state.value(name)
    }
  }

  private static func encoding(
    _ state: borrowing StateWriter, beside rest: SavedState = SavedState(),
    version: StateVersion = .unstamped, limits: SavedStateLimits = SavedStateLimits()
  ) throws(SavedStateError) -> [UInt8] {
    var encoder = SavedStateEncoder(limits: limits)
    try encoder.encode(state, beside: rest, version: version)
    return encoder.bytes
  }

  /// Why fields are refused.
  private static func refusal(
    _ state: borrowing StateWriter, _ limits: SavedStateLimits = SavedStateLimits()
  ) -> SavedStateError? {
    do throws(SavedStateError) {
      _ = try encoding(state, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  /// Why an activity is refused.
  private static func refusal(
    _ activity: UserActivity, _ limits: SavedStateLimits
  ) -> SavedStateError? {
    do throws(SavedStateError) {
      _ = try SavedState(activity: activity).encoded(limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test func `random fields have the bytes of an activity, and are read back in any order`() throws
  {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      var state = StateWriter()
      var fields: [String: UserInfoValue] = [:]
      var rest = SavedState.random(&random)
      rest.activity = nil
      if Bool.random(using: &random) { state.activityType = .random(&random) }
      for _ in 0..<Int.random(in: 1...16, using: &random) {
        let name = Self.names[random.number(below: Self.names.count)]
        var valuesLeft = 10
        let value = UserInfoValue.random(&random, &valuesLeft)
        Self.write(value, name, &state)
        fields["\(name)"] = value
      }
      let version = StateVersion(rawValue: UInt32(random.number(below: 300)))
      var expected = rest
      expected.activity = UserActivity(state.activityType, userInfo: fields)
      let bytes = try Self.encoding(state, beside: rest, version: version)
      #expect(try bytes == expected.encoded(version: version))

      if var reader = StateReader(bytes) {
        let (read, written) = (reader.activityType, state.activityType)
        #expect(read == written)
        Self.check(&reader, fields, &random)
      } else {
        Issue.record("expected an activity in \(bytes)")
      }
      var reader = StateReader(try #require(expected.activity))
      Self.check(&reader, fields, &random)
    }
  }

  /// Reads all fields, some twice, and some that are not there or of another kind.
  private static func check(
    _ reader: inout StateReader, _ fields: [String: UserInfoValue], _ random: inout SplitMix64
  ) {
    for name in (names + names).shuffled(using: &random) {
      guard let value = fields["\(name)"] else {
        let none = reader.value(name)
        #expect(none == nil)
        continue
      }
      let found = read(like: value, name, &reader)
      #expect(found == value)
      let (text, number) = (reader.string(name), reader.integer(name))
      let texts = reader.strings(name)
      #expect(
        texts?.count == value.array.flatMap { $0.contains { $0.string == nil } ? nil : $0.count })
      #expect(text == value.string)
      #expect(number.map { Int64($0) } == value.integer)
    }
  }

  @Test func `without fields there is no activity`() throws {
    var state = StateWriter()
    state.write("text", nil as String?)
    let isEmpty = state.isEmpty
    #expect(isEmpty)
    #expect(try Self.encoding(state) == SavedState().encoded())
    #expect(StateReader(try SavedState(userInfo: ["a": 1]).encoded()) == nil)
  }

  @Test func `fields that are too large are refused as the activity is`() throws {
    for limits in [
      SavedStateLimits(byteCount: 100), SavedStateLimits(valueCount: 3), SavedStateLimits(depth: 1),
    ] {
      var state = StateWriter(limits: limits)
      state.write("text", String(repeating: "x", count: 80))
      state.write("nested", ["list": [1, 2, ["deep": 3]]] as UserInfoValue)
      let activity = UserActivity(
        "state",
        userInfo: [
          "text": .string(String(repeating: "x", count: 80)),
          "nested": ["list": [1, 2, ["deep": 3]]],
        ])
      let refusal = Self.refusal(state, limits)
      #expect(refusal == Self.refusal(activity, limits))
    }
  }

  private struct Line: Codable, Equatable {
    var text: String
    var place: Int
  }

  @Test func `values of the program's types are kept as JSON`() throws {
    let lines = [Line(text: "a/b", place: 1), Line(text: "é", place: 2)]
    var state = StateWriter()
    state.write("lines", encoding: lines)
    state.write("none", encoding: nil as Line?)
    let bytes = try Self.encoding(state)
    let saved = try SavedState(decoding: bytes)
    #expect(
      saved.activity?.userInfo == [
        "lines": .string(#"[{"place":1,"text":"a/b"},{"place":2,"text":"é"}]"#)
      ])
    var reader = StateReader(try #require(saved.activity))
    let decoded = try reader.decode([Line].self, "lines")
    #expect(decoded == lines)
    let none = try reader.decode(Line.self, "none")
    #expect(none == nil)
    var error: (any Error)?
    do { _ = try reader.decode(Line.self, "lines") } catch let found { error = found }
    #expect(error is DecodingError)
  }

  @Test func `a value that JSON cannot hold refuses the whole state`() throws {
    var state = StateWriter()
    state.write("rate", encoding: [Double.nan])
    let refusal = Self.refusal(state)
    #expect(refusal?.code == .notPropertyList)
    #expect(refusal?.keyPath == "activity.userInfo.rate")
  }
}
