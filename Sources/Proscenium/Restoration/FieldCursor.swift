// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Goes over the entries of an encoded `userInfo`, one by one.
///
/// It looks at no byte from its end on, whatever the bytes are, and passes only what is sound;
/// ``SavedStateReader`` says what is wrong with the rest.
@safe struct FieldCursor {
  private let bytes: UnsafeRawBufferPointer
  private let end: Int
  private(set) var offset: Int

  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, from offset: Int, to end: Int) {
    unsafe self.bytes = bytes
    self.offset = offset
    self.end = min(end, bytes.count)
  }

  private var left: Int { end - offset }

  // MARK: - Parts

  @inline(__always)
  private mutating func byte() -> UInt8? {
    guard offset < end else { return nil }
    defer { offset += 1 }
    return unsafe bytes[offset]
  }

  /// A number in no more bytes than it needs.
  @inline(__always)
  private mutating func number() -> UInt64? {
    guard let first = byte() else { return nil }
    return first < 0x80 ? UInt64(first) : longNumber(first)
  }

  private mutating func longNumber(_ first: UInt8) -> UInt64? {
    var number = UInt64(first & 0x7F)
    for shift in stride(from: 7 as UInt64, through: 63, by: 7) {
      // The tenth byte has room for one bit.
      guard let next = byte(), shift < 63 || next == 1 else { return nil }
      number |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return next > 0 ? number : nil }
    }
    return nil
  }

  /// A number of bytes that follow.
  @inline(__always)
  private mutating func length() -> Int? {
    guard let number = number(), number <= UInt64(left) else { return nil }
    return Int(number)
  }

  /// The kind of a value, and the number in its first byte or behind it.
  @inline(__always)
  mutating func head() -> (kind: SavedStateForm.Kind, number: UInt64)? {
    guard let first = byte(), let kind = SavedStateForm.Kind(rawValue: first >> 4) else {
      return nil
    }
    let low = first & 0x0F
    guard low == SavedStateForm.numberFollows else { return (kind, UInt64(low)) }
    guard let number = number(), number >= UInt64(SavedStateForm.numberFollows) else { return nil }
    return (kind, number)
  }

  // MARK: - Checking

  /// Passes a count and as many entries if they are sound; returns whether it has.
  mutating func passAllEntries() -> Bool {
    guard let count = number(), count > 0 else { return false }
    return passEntries(count, depth: 1)
  }

  private mutating func passEntries(_ count: UInt64, depth: Int) -> Bool {
    guard count <= UInt64(left / 2) else { return false }
    var last = 0..<0
    for _ in 0..<count {
      let start = offset
      guard let length = length(), passText(length), precedes(last, start) else { return false }
      last = start..<offset
      guard passValue(depth: depth) else { return false }
    }
    return true
  }

  private mutating func passValue(depth: Int) -> Bool {
    guard let (kind, number) = head() else { return false }
    switch kind {
    case .integer: return true
    case .boolean: return number <= 1
    case .null: return number == 0
    case .real, .date: return number == 0 && pass(8)
    case .string, .url: return number <= UInt64(left) && passText(Int(number))
    case .data: return pass(number)
    case .array:
      guard depth < SavedStateLimits.greatestDepth, number <= UInt64(left) else { return false }
      for _ in 0..<number { guard passValue(depth: depth + 1) else { return false } }
      return true
    case .dictionary:
      return depth < SavedStateLimits.greatestDepth && passEntries(number, depth: depth + 1)
    case .set: return depth < SavedStateLimits.greatestDepth && passMembers(number, depth + 1)
    }
  }

  private mutating func passMembers(_ count: UInt64, _ depth: Int) -> Bool {
    guard count <= UInt64(left) else { return false }
    var last = 0..<0
    for _ in 0..<count {
      let start = offset
      guard passValue(depth: depth), precedes(last, start) else { return false }
      last = start..<offset
    }
    return true
  }

  @inline(__always)
  private mutating func pass(_ count: UInt64) -> Bool {
    guard count <= UInt64(left) else { return false }
    offset += Int(count)
    return true
  }

  /// Passes a text that is there.
  @inline(__always)
  private mutating func passText(_ count: Int) -> Bool {
    let range = offset..<offset + count
    offset += count
    if isASCII(range) { return true }
    return unsafe String(validating: bytes[range], as: UTF8.self) != nil
  }

  @inline(__always)
  private func isASCII(_ range: Range<Int>) -> Bool {
    var union: UInt64 = 0
    var index = range.lowerBound
    while index + 8 <= range.upperBound {
      union |= unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < range.upperBound {
      union |= UInt64(unsafe bytes[index])
      index += 1
    }
    return union & 0x8080_8080_8080_8080 == 0
  }

  /// Whether the name of an entry comes before the bytes from a start up to here.
  @inline(__always)
  private func precedes(_ last: Range<Int>, _ start: Int) -> Bool {
    if last.isEmpty { return true }
    var (left, right) = (last.lowerBound, start)
    while left < last.upperBound, right < offset {
      let (one, other) = unsafe (bytes[left], bytes[right])
      if one != other { return one < other }
      left += 1
      right += 1
    }
    return right < offset
  }

  // MARK: - Reading

  /// Passes an entry; returns where its name is, with its length, and where it ends.
  mutating func entry() -> (name: Range<Int>, end: Int)? {
    let start = offset
    guard let length = length() else { return nil }
    offset += length
    let name = start..<offset
    return passValue(depth: 1) ? (name, offset) : nil
  }

  /// Goes to the value of an entry that comes next, or later.
  @inline(__always)
  mutating func find(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    while offset < end {
      guard let length = length() else { return false }
      let start = offset
      offset += length
      if unsafe isEqual(start, length, name) { return true }
      guard passValue(depth: 1) else { return false }
    }
    return false
  }

  @inline(__always)
  private func isEqual(_ start: Int, _ count: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == name.count else { return false }
    for index in 0..<count {
      if unsafe bytes[start + index] != name[index] { return false }
    }
    return true
  }

  /// Takes a text of a length; it was checked when the state came.
  @inline(__always)
  mutating func text(_ count: UInt64) -> String? {
    let start = offset
    guard pass(count) else { return nil }
    return unsafe String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Takes the texts of an array; nil if it has something else.
  mutating func texts(_ count: UInt64) -> [String]? {
    guard count <= UInt64(left) else { return nil }
    var texts: [String] = []
    texts.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let (kind, number) = head(), kind == .string, let text = text(number) else {
        return nil
      }
      texts.append(text)
    }
    return texts
  }

  /// Takes a count and as many entries that were checked.
  mutating func takeAllEntries() -> [String: UserInfoValue]? {
    guard let count = number() else { return nil }
    return takeEntries(count)
  }

  private mutating func takeEntries(_ count: UInt64) -> [String: UserInfoValue]? {
    guard count <= UInt64(left) else { return nil }
    var entries = [String: UserInfoValue](minimumCapacity: Int(count))
    for _ in 0..<count {
      guard let length = length(), let name = text(UInt64(length)), let value = takeValue() else {
        return nil
      }
      entries[name] = value
    }
    return entries
  }

  /// Takes a value that was checked.
  mutating func takeValue() -> UserInfoValue? {
    guard let (kind, number) = head() else { return nil }
    switch kind {
    case .null: return .null
    case .boolean: return .boolean(number == 1)
    case .integer: return .integer(SavedStateForm.halved(number))
    case .real: return real().map { .real($0) }
    case .date: return real().map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .string: return text(number).map { .string($0) }
    case .url: return text(number).map { .url($0) }
    case .data: return data(number).map { .data($0) }
    case .array: return takeValues(number).map { .array($0) }
    case .dictionary: return takeEntries(number).map { .dictionary($0) }
    case .set: return takeValues(number).map { .set(Set($0)) }
    }
  }

  private mutating func takeValues(_ count: UInt64) -> [UserInfoValue]? {
    guard count <= UInt64(left) else { return nil }
    var values: [UserInfoValue] = []
    values.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let value = takeValue() else { return nil }
      values.append(value)
    }
    return values
  }

  @inline(__always)
  mutating func data(_ count: UInt64) -> [UInt8]? {
    let start = offset
    guard pass(count) else { return nil }
    return unsafe [UInt8](bytes[start..<offset])
  }

  @inline(__always)
  mutating func real() -> Double? {
    let start = offset
    guard pass(8) else { return nil }
    let bits = unsafe bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
    return Double(bitPattern: UInt64(littleEndian: bits))
  }
}
