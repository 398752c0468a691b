// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SavedStateReader {
  /// Reads a value that is in so many dictionaries, arrays and sets.
  mutating func value(depth: Int) throws(SavedStateError) -> UserInfoValue {
    let start = offset
    let (kind, number) = try head()
    switch kind {
    case .null:
      try checkPropertyList(kind, start)
      try check(number, atMost: 0, start)
      return .null
    case .boolean:
      try check(number, atMost: 1, start)
      return .boolean(number == 1)
    case .integer: return .integer(SavedStateForm.halved(number))
    case .real:
      try check(number, atMost: 0, start)
      return .real(try real())
    case .date:
      try check(number, atMost: 0, start)
      return .date(try date())
    case .string:
      return .string(try text(try count(number, "bytes of a text", ofSize: 1, from: start)))
    case .url:
      try checkPropertyList(kind, start)
      return .url(try text(try count(number, "bytes of a URL", ofSize: 1, from: start)))
    case .data: return .data(data(try count(number, "bytes", ofSize: 1, from: start)))
    case .array:
      try check(depth: depth + 1, start)
      return .array(try values(number, from: start, depth: depth + 1))
    case .dictionary:
      try check(depth: depth + 1, start)
      return .dictionary(try entries(number, from: start, depth: depth + 1))
    case .set:
      try checkPropertyList(kind, start)
      try check(depth: depth + 1, start)
      return .set(try members(number, from: start, depth: depth + 1))
    }
  }

  mutating func values(
    _ number: UInt64, from start: Int, depth: Int
  ) throws(SavedStateError) -> [UserInfoValue] {
    let count = try count(number, "values", ofSize: 1, from: start)
    var values: [UserInfoValue] = []
    values.reserveCapacity(min(count, Self.reservedCount))
    for index in 0..<count {
      do throws(SavedStateError) {
        values.append(try value(depth: depth))
      } catch {
        throw error.under("[\(index)]")
      }
    }
    return values
  }

  private mutating func members(
    _ number: UInt64, from start: Int, depth: Int
  ) throws(SavedStateError) -> Set<UserInfoValue> {
    let count = try count(number, "members", ofSize: 1, from: start)
    var members = Set<UserInfoValue>(minimumCapacity: min(count, Self.reservedCount))
    var previous = 0..<0
    for index in 0..<count {
      let start = offset
      do throws(SavedStateError) {
        members.insert(try value(depth: depth))
        try checkOrder(after: &previous, from: start, "members")
      } catch {
        throw error.under("[\(index)]")
      }
    }
    return members
  }

  mutating func entries(
    _ number: UInt64, from start: Int, depth: Int
  ) throws(SavedStateError) -> [String: UserInfoValue] {
    let count = try count(number, "entries", ofSize: 2, from: start)
    var entries = [String: UserInfoValue](minimumCapacity: min(count, Self.reservedCount))
    var previous = 0..<0
    for _ in 0..<count {
      let key = try name(after: &previous)
      do throws(SavedStateError) {
        entries[key] = try value(depth: depth)
      } catch {
        throw error.under(key)
      }
    }
    return entries
  }

  private func check(
    _ number: UInt64, atMost limit: UInt64, _ start: Int
  ) throws(SavedStateError) {
    guard number <= limit else {
      throw failure(at: start, "a number of at most \(limit) in the value", "\(number)")
    }
  }

  private func check(depth: Int, _ start: Int) throws(SavedStateError) {
    let limit = SavedStateLimits.greatestDepth
    guard depth <= limit else {
      throw failure(
        at: start, "arrays, dictionaries and sets at most \(limit) deep", "one more")
    }
  }

  private func checkPropertyList(
    _ kind: SavedStateForm.Kind, _ start: Int
  ) throws(SavedStateError) {
    if isPropertyList { throw failure(at: start, "a value of a property list", "a \(kind)") }
  }
}

// MARK: - Bytes

extension SavedStateReader {
  mutating func byte(
    _ expected: @autoclosure () -> String
  ) throws(SavedStateError) -> UInt8 {
    guard offset < end else { throw failure(at: offset, expected(), "the end") }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func number() throws(SavedStateError) -> UInt64 {
    let start = offset
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte("a number")
      // The tenth byte has room for one bit.
      guard shift < 63 || byte <= 1 else { throw failure(at: start, "64 bits", "more") }
      number |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 {
        guard byte > 0 || shift == 0 else {
          throw failure(at: start, "a number without leading zeros", "some")
        }
        return number
      }
      shift += 7
    }
  }

  /// Reads a number of entries where a field without any is left out.
  mutating func someNumber() throws(SavedStateError) -> UInt64 {
    let start = offset
    let number = try number()
    guard number > 0 else { throw failure(at: start, "one entry at least", "none") }
    return number
  }

  /// Reads a number of parts, each of at least so many bytes.
  mutating func count(
    _ parts: @autoclosure () -> String, ofSize size: Int
  ) throws(SavedStateError) -> Int {
    let start = offset
    let number = try number()
    return try count(number, parts(), ofSize: size, from: start)
  }

  /// Checks a number of parts, each of at least so many bytes, against what is left.
  func count(
    _ number: UInt64, _ parts: @autoclosure () -> String, ofSize size: Int, from start: Int
  ) throws(SavedStateError) -> Int {
    guard number <= UInt64((end - offset) / size) else {
      throw failure(at: start, "\(number) \(parts())", "\(end - offset) bytes")
    }
    return Int(number)
  }

  /// The first byte of a value, and the number in it or behind it.
  mutating func head() throws(SavedStateError) -> (
    kind: SavedStateForm.Kind, number: UInt64
  ) {
    let start = offset
    let first = try byte("a value")
    guard let kind = SavedStateForm.Kind(rawValue: first >> 4) else {
      throw failure(at: start, "a value of a known kind", "kind \(first >> 4)")
    }
    let low = first & 0x0F
    guard low == SavedStateForm.numberFollows else { return (kind, UInt64(low)) }
    let number = try number()
    guard number >= UInt64(SavedStateForm.numberFollows) else {
      throw failure(at: start, "the number \(number) in the value's first byte", "it behind")
    }
    return (kind, number)
  }

  /// Eight bytes, the lowest first.
  mutating func real() throws(SavedStateError) -> Double {
    guard end - offset >= 8 else {
      throw failure(at: offset, "8 bytes of a real", "\(end - offset) bytes")
    }
    var bits: UInt64 = 0
    for place in (offset..<offset + 8).reversed() { bits = bits << 8 | UInt64(bytes[place]) }
    offset += 8
    return Double(bitPattern: bits)
  }

  mutating func date() throws(SavedStateError) -> Date {
    Date(timeIntervalSinceReferenceDate: try real())
  }

  /// Reads bytes that were counted.
  mutating func data(_ count: Int) -> [UInt8] {
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  mutating func text(_ count: Int) throws(SavedStateError) -> String {
    let range = offset..<offset + count
    offset += count
    // The initializer that validates takes several times as long.
    if isASCII(range) { return String(decoding: bytes[range], as: UTF8.self) }
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw failure(at: range.lowerBound, "UTF-8", "other bytes")
    }
    return text
  }

  private func isASCII(_ range: Range<Int>) -> Bool {
    let utf8 = bytes.span.extracting(range)
    var union: UInt8 = 0
    for index in utf8.indices { union |= utf8[index] }
    return union < 0x80
  }

  /// Reads a name, which has to come after the one before.
  mutating func name(after previous: inout Range<Int>) throws(SavedStateError) -> String {
    let start = offset
    let name = try text(try count("bytes of a name", ofSize: 1))
    try checkOrder(after: &previous, from: start, "names")
    return name
  }

  /// Checks that the bytes from an offset on come after those of an earlier range.
  private func checkOrder(
    after previous: inout Range<Int>, from start: Int, _ parts: @autoclosure () -> String
  ) throws(SavedStateError) {
    guard previous.isEmpty || bytes[previous].lexicographicallyPrecedes(bytes[start..<offset])
    else {
      throw failure(at: start, "\(parts()) in ascending order, each once", "another order")
    }
    previous = start..<offset
  }
}
