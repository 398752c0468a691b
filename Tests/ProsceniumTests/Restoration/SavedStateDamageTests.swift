// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// Bytes that are no state, each with one thing wrong, and what is said about them.
@Suite struct SavedStateDamageTests {
  /// The form, and an activity of the type "a".
  private static let start: [UInt8] = [1, 2, 1, 0x61]

  @Test(
    arguments: [
      ([], "(byte 0)", "expected the version of the form, found the end"),
      ([0], "(byte 0)", "expected version 1 of the form, found 0"),
      ([1, 0, 0], "(byte 1)", "expected a field after 0, found 0"),
      ([1, 10, 1, 0, 10, 1, 0], "(byte 4)", "expected a field after 10, found 10"),
      ([1, 10], "(byte 2)", "expected a number, found the end"),
      ([1, 10, 2, 0], "(byte 2)", "expected 2 bytes of field 10, found 1 bytes"),
      ([1, 10, 2, 0, 0], "(byte 4)", "expected the end of field 10, found 1 more bytes"),
      ([1, 10, 0], "userInfo: ", "expected a number, found the end (byte 3)"),
      ([1, 3, 1, 0x61], "(byte 1)", "expected the type of an activity, found another field of it"),
      ([1, 1, 1, 0], "version: ", "expected a version from 1 to 4294967295, found 0 (byte 3)"),
      ([1, 1, 5, 0x80, 0x80, 0x80, 0x80, 0x10], "version: ", "found 4294967296"),
      ([1, 1, 2, 0x81, 0x00], "version: ", "expected a number without leading zeros, found some"),
      (
        [1, 1, 10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02], "version: ",
        "expected 64 bits, found more (byte 3)"
      ),
      (
        [1, 1, 11, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], "version: ",
        "expected 64 bits, found more"
      ),
      ([1, 2, 1, 0xFF], "activity.activityType: ", "expected UTF-8, found other bytes (byte 3)"),
      ([1, 2, 2, 0xC0, 0x80], "activity.activityType: ", "expected UTF-8"),
      (start + [7, 1, 0], "activity.requiredUserInfoKeys: ", "expected one entry at least"),
      (start + [7, 5, 2, 1, 0x62, 1, 0x61], "activity.requiredUserInfoKeys: ", "ascending order"),
      (start + [7, 5, 2, 1, 0x61, 1, 0x61], "activity.requiredUserInfoKeys: ", "ascending order"),
      (start + [8, 7, 0, 0, 0, 0, 0, 0, 0], "activity.expirationDate: ", "8 bytes of a real"),
      (start + [8, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0], "(byte 14)", "the end of field 8"),
      (start + [9, 1, 0], "activity.userInfo: ", "expected one entry at least, found none"),
      (start + [11, 1, 0], "snapshots: ", "expected one entry at least, found none"),
      (start + [11, 4, 1, 1, 0x78, 9], "snapshots.x: ", "expected 9 bytes of a snapshot"),
    ] as [([UInt8], String, String)])
  func `a field that breaks the form is refused`(bytes: [UInt8], place: String, sentence: String) {
    check(bytes, place, sentence)
  }

  @Test(
    arguments: [
      ([], "expected a value, found the end"),
      ([0xB0], "expected a value of a known kind, found kind 11"), ([0xFF], "found kind 15"),
      ([0x01], "expected a number of at most 0 in the value, found 1"),
      ([0x12], "expected a number of at most 1 in the value, found 2"),
      ([0x31, 0, 0, 0, 0, 0, 0, 0, 0], "at most 0 in the value, found 1"),
      ([0x2F, 0x0E], "expected the number 14 in the value's first byte, found it behind"),
      ([0x2F], "expected a number, found the end"),
      ([0x30, 0, 0, 0, 0, 0, 0, 0], "expected 8 bytes of a real, found 7 bytes"),
      ([0x40, 0], "expected 8 bytes of a real, found 1 bytes"),
      ([0x53, 0x61, 0x61], "expected 3 bytes of a text, found 2 bytes"),
      ([0x62, 0x61], "expected 2 bytes of a URL, found 1 bytes"),
      ([0x52, 0xC3, 0x28], "expected UTF-8, found other bytes"),
      ([0x62, 0xC3, 0x28], "expected UTF-8, found other bytes"),
      ([0x7F, 0x0F, 0], "expected 15 bytes, found 1 bytes"),
      ([0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], "found 0 bytes"),
      ([0x82, 0x00], "expected 2 values, found 1 bytes"),
      ([0x8F, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], "expected 4294967295 values, found 0 bytes"),
      ([0x92, 1, 0x61, 0], "expected 2 entries, found 3 bytes"),
      ([0x92, 0, 0, 0, 0], "expected names in ascending order, each once, found another order"),
      ([0x92, 2, 0x61, 0x61, 0, 1, 0x62, 0], "expected names in ascending order"),
      ([0x91, 2, 0x61], "expected 2 bytes of a name, found 1 bytes"),
      ([0xA2, 0x22, 0x22], "expected members in ascending order, each once, found another order"),
      ([0xA2, 0x22, 0x20], "expected members in ascending order"),
      ([0xA3, 0x22, 0x24], "expected 3 members, found 2 bytes"),
    ] as [([UInt8], String)])
  func `a value that breaks the form is refused`(value: [UInt8], sentence: String) {
    let entry: [UInt8] = [1, 2, 0x6B, 0x31] + value
    check(
      Self.start + [9, UInt8(entry.count)] + entry, "activity.userInfo.k1", sentence)
    guard !value.isEmpty else { return }
    let nested: [UInt8] = [1, 1, 0x6C, 0x82, 0x10] + value
    check(
      Self.start + [9, UInt8(nested.count)] + nested, "activity.userInfo.l", sentence,
      orPlace: "activity.userInfo.l[1]")
  }

  @Test(
    arguments: [
      ([0x00], "a null"), ([0xA0], "a set"), ([0x61, 0x61], "a url"),
    ] as [([UInt8], String)])
  func `settings have the values of a property list alone`(value: [UInt8], found: String) {
    let entry: [UInt8] = [1, 1, 0x6B] + value
    check(
      [1, 10, UInt8(entry.count)] + entry, "userInfo.k: ",
      "expected a value of a property list, found \(found)")
  }

  @Test func `a newer form is refused as such`() {
    #expect(error(of: [4])?.code == .newerForm)
    #expect(error(of: [255, 1, 2, 3])?.code == .newerForm)
  }

  @Test func `fields of a later version are passed over`() throws {
    let bytes: [UInt8] = Self.start + [10, 1, 0, 14, 3, 0xFF, 0xFF, 0xFF, 200, 0]
    let state = try SavedState(decoding: bytes)
    #expect(state == SavedState(activity: UserActivity("a"), userInfo: [:]))
    #expect(error(of: bytes + [199, 0])?.code == .damaged)
  }

  @Test(
    arguments: [
      ([0], "expected the number of a wake, found 0"),
      ([1, 3], "expected 3 wakes, found 0 bytes"),
      ([1, 1, 1, 0, 0], "expected the type of an activity, found none"),
      ([1, 1, 2, 0, 0], "expected a number after 0, up to 1, found 2"),
      ([2, 2, 2, 0, 3, 2, 1, 0x61, 2, 0, 3, 2, 1, 0x61], "expected a number after 2, up to 2"),
      ([1, 1, 1, 0, 3, 3, 1, 0x61], "expected the type of an activity, found another field of it"),
      ([1, 1, 1, 0, 3, 10, 1, 0], "expected fields of an activity, found userInfo"),
      ([1, 1, 1, 0, 9, 2, 1, 0x61], "expected 9 bytes of an activity, found 3 bytes"),
      ([1, 1, 1, 0, 3, 200, 1, 0x61], "expected the type of an activity, found none"),
      (
        [1, 1, 1, 0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 3, 2, 1, 0x61],
        "expected a time within 2^53 milliseconds of 1970"
      ),
      ([1, 1, 1, 0, 3, 2, 1, 0x61, 0], "expected the end of field 12, found 1 more bytes"),
    ] as [([UInt8], String)])
  func `wakes that break the form are refused`(wakes: [UInt8], sentence: String) {
    check([2, 12, UInt8(wakes.count)] + wakes, "", sentence)
  }

  @Test func `more wakes than there may be are refused`() {
    let wakes = (1...65).flatMap { number -> [UInt8] in [UInt8(number), 0, 3, 2, 1, 0x61] }
    let field: [UInt8] = [65, 65] + wakes
    check(
      [2, 12] + Self.number(field.count) + field, "wakes", "expected at most 64 wakes, found 65")
  }

  /// A field with so many clients.
  private static func clients(_ count: Int, last: UInt8 = 1) -> [UInt8] {
    let clients = (0..<count).flatMap { [UInt8](repeating: 0, count: 15) + [UInt8($0), last] }
    return [13] + number(clients.count + 1) + [UInt8(count)] + clients
  }

  @Test func `clients that break the form are refused`() {
    let sentence = "expected 1 to 8 different clients, each with an input, found others"
    for field in [Self.clients(0), Self.clients(9), Self.clients(1, last: 0)] {
      check([3] + field, "clients", sentence)
    }
    let one = Self.clients(1).dropFirst(3)
    check([3, 13, 35, 2] + one + one, "clients", sentence)
    check([3, 13, 3, 1, 0, 0], "clients", "expected 1 clients, found 2 bytes")
  }

  @Test func `the version of the form is the lowest that can say the state`() {
    check([2], "", "expected version 1 of a form without wakes, found 2")
    check([1, 12, 2, 1, 0], "", "expected version 2 of a form with wakes, found 1")
    #expect(error(of: [2, 12, 2, 1, 0]) == nil)
    check([2] + Self.clients(1), "", "expected version 3 of a form with clients, found 2")
    check([3], "", "expected version 1 of a form without wakes, found 3")
    #expect(error(of: [3, 12, 2, 1, 0] + Self.clients(8)) == nil)
  }

  @Test(arguments: [512, 513, 600, 100_000])
  func `nesting is read to its limit, however deep it is`(depth: Int) {
    // The dictionary is the first level; the value within is an array of one element each.
    let value = [UInt8](repeating: 0x81, count: depth - 1) + [0x10]
    for kind in [0x81, 0xA1] as [UInt8] {
      let deep = value.map { $0 == 0x81 ? kind : $0 }
      let entry = [1, 1, 0x6B] + deep
      let bytes = Self.start + [9] + Self.number(entry.count) + entry
      let error = error(of: bytes)
      #expect((error == nil) == (depth <= 512))
      if let error { #expect(error.expected.contains("at most 512 deep")) }
    }
  }

  @Test func `counts that lie make nothing large`() {
    // Each array claims as many elements as there are bytes behind it.
    var bytes: [UInt8] = []
    for level in 0..<500 { bytes = [0x8F] + Self.number(400_000 + level) + bytes }
    let entry = [1, 1, 0x6B] + bytes + [UInt8](repeating: 0, count: 500_000)
    let all = Self.start + [9] + Self.number(entry.count) + entry
    #expect(error(of: all)?.code == .damaged)
  }

  private static func number(_ number: Int) -> [UInt8] {
    number < 0x80
      ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + Self.number(number >> 7)
  }

  private func check(
    _ bytes: [UInt8], _ place: String, _ sentence: String, orPlace other: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = error(of: bytes)?.description ?? "nothing"
    #expect(
      text.contains(place) || other.map(text.contains) ?? false, sourceLocation: sourceLocation)
    #expect(text.contains(sentence), sourceLocation: sourceLocation)
  }

  private func error(of bytes: [UInt8]) -> SavedStateError? {
    do throws(SavedStateError) {
      _ = try SavedState(decoding: bytes)
      return nil
    } catch {
      return error
    }
  }
}
