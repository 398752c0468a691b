// SPDX-License-Identifier: Apache-2.0

/// Reads the bytes of a saved state, whatever they are.
///
/// Its use of pointers is safe: every read is preceded by a comparison with ``end``, which is never
/// beyond the bytes, and a reader lives within the call that it was given the bytes by.
@safe
struct SavedStateReader {
  private let bytes: UnsafeRawBufferPointer
  /// The end of the field that is being read, or of everything between two fields.
  private(set) var end: Int
  /// What is read next.
  private(set) var offset = 0
  /// Whether only values of a property list are taken: those of the session's settings.
  private(set) var isPropertyList = false

  private init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = unsafe bytes
    end = bytes.count
  }

  /// Calls a function with a reader of the bytes.
  static func read<Result>(
    _ bytes: RawSpan, _ body: (inout SavedStateReader) throws(SavedStateError) -> Result
  ) throws(SavedStateError) -> Result {
    try unsafe bytes.withUnsafeBytes { (bytes) throws(SavedStateError) -> Result in
      var reader = unsafe SavedStateReader(bytes)
      return try body(&reader)
    }
  }

  // MARK: - Fields

  /// Reads the version of the form, then calls a function with each field that this version knows,
  /// which has to read the whole of it.
  mutating func fields(
    _ body: (inout SavedStateReader, SavedStateForm.Field) throws(SavedStateError) -> Void
  ) throws(SavedStateError) {
    let version = try byte("the version of the form")
    guard version <= SavedStateForm.versionWithWakes else {
      throw SavedStateError(
        .newerForm, offset: 0,
        expected: "version \(SavedStateForm.versionWithWakes) of the form at most",
        found: "\(version)")
    }
    guard version > 0 else { throw failure(at: 0, "version 1 of the form", "0") }
    var hasWakes = false
    try fields(before: end) { (reader, field) throws(SavedStateError) in
      if field == .wakes { hasWakes = true }
      try body(&reader, field)
    }
    guard hasWakes == (version == SavedStateForm.versionWithWakes) else {
      throw failure(
        at: 0, "version \(hasWakes ? 2 : 1) of a form \(hasWakes ? "with" : "without") wakes",
        "\(version)")
    }
  }

  /// Reads the fields of an activity that end at an offset, as ``fields(_:)`` does.
  mutating func activityFields(
    before limit: Int,
    _ body: (inout SavedStateReader, SavedStateForm.Field) throws(SavedStateError) -> Void
  ) throws(SavedStateError) {
    let (start, outerEnd) = (offset, end)
    try fields(before: limit) { (reader, field) throws(SavedStateError) in
      guard field.belongsToActivity else {
        throw reader.failure(at: start, "fields of an activity", "\(field.keyPath)")
      }
      try body(&reader, field)
    }
    end = outerEnd
  }

  private mutating func fields(
    before limit: Int,
    _ body: (inout SavedStateReader, SavedStateForm.Field) throws(SavedStateError) -> Void
  ) throws(SavedStateError) {
    var previous: UInt8 = 0
    var hasActivity = false
    end = limit
    while offset < limit {
      let start = offset
      let number = try byte("a field")
      guard number > previous else {
        throw failure(at: start, "a field after \(previous)", "\(number)")
      }
      previous = number
      let length = try count("bytes of field \(number)", ofSize: 1)
      end = offset + length
      if let field = SavedStateForm.Field(rawValue: number) {
        if field == .activityType { hasActivity = true }
        guard hasActivity || !field.belongsToActivity else {
          throw failure(at: start, "the type of an activity", "another field of it")
        }
        isPropertyList = field == .userInfo
        do throws(SavedStateError) {
          try body(&self, field)
        } catch {
          throw error.under(field.keyPath)
        }
        guard offset == end else {
          throw failure(at: offset, "the end of field \(number)", "\(end - offset) more bytes")
        }
      }
      offset = end
      end = limit
    }
  }

  // MARK: - Numbers

  @inline(__always)
  mutating func byte(_ expected: @autoclosure () -> String) throws(SavedStateError) -> UInt8 {
    guard offset < end else { throw failure(at: offset, expected(), "the end") }
    defer { offset += 1 }
    return unsafe bytes[offset]
  }

  @inline(__always)
  mutating func number() throws(SavedStateError) -> UInt64 {
    // Nearly all numbers have one byte.
    if offset < end, unsafe bytes[offset] < 0x80 {
      defer { offset += 1 }
      return unsafe UInt64(bytes[offset])
    }
    return try longNumber()
  }

  @inline(never)
  private mutating func longNumber() throws(SavedStateError) -> UInt64 {
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

  /// Reads a number of parts, each of at least so many bytes.
  @inline(__always)
  mutating func count(
    _ parts: @autoclosure () -> String, ofSize size: Int
  ) throws(SavedStateError) -> Int {
    let start = offset
    let number = try number()
    return try count(number, parts(), ofSize: size, from: start)
  }

  /// Checks a number of parts, each of at least so many bytes, against what is left.
  @inline(__always)
  func count(
    _ number: UInt64, _ parts: @autoclosure () -> String, ofSize size: Int, from start: Int
  ) throws(SavedStateError) -> Int {
    guard number <= UInt64((end - offset) / size) else {
      throw failure(at: start, "\(number) \(parts())", "\(end - offset) bytes")
    }
    return Int(number)
  }

  /// Eight bytes, the lowest first.
  mutating func bits() throws(SavedStateError) -> UInt64 {
    guard end - offset >= 8 else {
      throw failure(at: offset, "8 bytes of a real", "\(end - offset) bytes")
    }
    defer { offset += 8 }
    return UInt64(
      littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The first byte of a value, and the number in it or behind it.
  @inline(__always)
  mutating func head() throws(SavedStateError) -> (kind: SavedStateForm.Kind, number: UInt64) {
    let start = offset
    let first = try byte("a value")
    guard let kind = SavedStateForm.Kind(rawValue: first &>> 4) else {
      throw failure(at: start, "a value of a known kind", "kind \(first &>> 4)")
    }
    var number = UInt64(first & 0x0F)
    if number == UInt64(SavedStateForm.numberFollows) {
      number = try self.number()
      guard number >= UInt64(SavedStateForm.numberFollows) else {
        throw failure(at: start, "the number \(number) in the value's first byte", "it behind")
      }
    }
    return (kind, number)
  }

  // MARK: - Texts and bytes

  /// Passes over bytes that were counted, and returns where they are.
  @inline(__always)
  mutating func pass(_ count: Int) -> Range<Int> {
    defer { offset += count }
    return offset..<offset + count
  }

  mutating func text(_ count: Int) throws(SavedStateError) -> String {
    let start = offset
    try checkText(count)
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
    if count <= Self.smallTextSize {
      return unsafe String(unsafeUninitializedCapacity: count) { place in
        unsafe UnsafeMutableRawBufferPointer(place).copyMemory(from: text)
        return count
      }
    }
    // It repairs what is no text; there is nothing to repair. The initializer that validates takes
    // ten times as long.
    return unsafe String(decoding: text, as: UTF8.self)
  }

  /// The longest text that a `String` has in itself, without an object.
  private static var smallTextSize: Int { 15 }

  mutating func checkText(_ count: Int) throws(SavedStateError) {
    let range = pass(count)
    guard unsafe Bytes.areUTF8(UnsafeRawBufferPointer(rebasing: bytes[range])) else {
      throw failure(at: range.lowerBound, "UTF-8", "other bytes")
    }
  }

  mutating func data(_ count: Int) -> [UInt8] {
    let range = pass(count)
    return unsafe Array(bytes[range])
  }

  /// Text for an error, of bytes that were read as text.
  func shown(_ range: Range<Int>) -> String {
    // A character of 64 has up to a few bytes; no key path shows more.
    unsafe String(decoding: bytes[range].prefix(512), as: UTF8.self)
  }

  /// Checks that the bytes from an offset on come after those of an earlier range.
  @inline(__always)
  func checkOrder(
    of previous: Range<Int>, from start: Int, _ parts: @autoclosure () -> String
  ) throws(SavedStateError) {
    guard !previous.isEmpty else { return }
    let current = start..<offset
    guard unsafe Bytes.precede(bytes, previous, current) else {
      throw failure(at: start, "\(parts()) in ascending order, each once", "another order")
    }
  }

  func failure(at offset: Int, _ expected: String, _ found: String) -> SavedStateError {
    SavedStateError(.damaged, offset: offset, expected: expected, found: found)
  }
}
