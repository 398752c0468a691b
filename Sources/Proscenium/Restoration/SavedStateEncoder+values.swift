// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Values are encoded as they are handed over.
extension SavedStateEncoder: SavedValueSink {
  mutating func null() throws(SavedStateLimits.Excess) {
    guard !isPropertyList else { throw .propertyList }
    try head(.null, 0)
  }

  mutating func boolean(_ value: Bool) throws(SavedStateLimits.Excess) {
    try head(.boolean, value ? 1 : 0)
  }

  mutating func integer(_ value: Int64) throws(SavedStateLimits.Excess) {
    try head(.integer, SavedStateForm.doubled(value))
  }

  mutating func real(_ value: Double) throws(SavedStateLimits.Excess) {
    try head(.real, 0)
    try buffer.append(bits: value.bitPattern)
  }

  mutating func date(_ value: Date) throws(SavedStateLimits.Excess) {
    try head(.date, 0)
    try buffer.append(bits: value.timeIntervalSinceReferenceDate.bitPattern)
  }

  mutating func string(_ value: String) throws(SavedStateLimits.Excess) {
    try text(.string, value)
  }

  mutating func url(_ value: String) throws(SavedStateLimits.Excess) {
    guard !isPropertyList else { throw .propertyList }
    try text(.url, value)
  }

  mutating func data(_ value: [UInt8]) throws(SavedStateLimits.Excess) {
    try head(.data, UInt64(value.count))
    try buffer.append(value)
  }

  mutating func array(
    _ values: [UserInfoValue], depth: Int
  ) throws(SavedStateLimits.Excess) {
    guard depth <= limits.depth else { throw .depth }
    try count(values.count)
    try head(.array, UInt64(values.count))
    // Lent, not copied, which would count references.
    let lent = values.span
    for index in lent.indices { try lent[index].write(to: &self, depth: depth) }
  }

  mutating func set(
    _ values: Set<UserInfoValue>, depth: Int
  ) throws(SavedStateLimits.Excess) {
    guard !isPropertyList else { throw .propertyList }
    guard depth <= limits.depth else { throw .depth }
    try count(values.count)
    try head(.set, UInt64(values.count))
    let mark = entries.begin()
    for value in values {
      let entry = buffer.count
      try value.write(to: &self, depth: depth)
      entries.add(buffer, from: entry)
    }
    try entries.sort(&buffer, from: mark)
  }

  mutating func dictionary(
    _ values: [String: UserInfoValue], depth: Int
  ) throws(SavedStateLimits.Excess) {
    try head(.dictionary, UInt64(values.count))
    try entries(of: values, depth: depth)
  }

  /// Writes the entries of a dictionary behind their count.
  mutating func entries(
    of values: [String: UserInfoValue], depth: Int
  ) throws(SavedStateLimits.Excess) {
    guard depth <= limits.depth else { throw .depth }
    try count(values.count)
    let mark = entries.begin()
    for (key, value) in values {
      let entry = buffer.count
      try name(key)
      try value.write(to: &self, depth: depth)
      entries.add(buffer, from: entry)
    }
    try entries.sort(&buffer, from: mark)
  }

  private mutating func text(
    _ kind: SavedStateForm.Kind, _ text: String
  ) throws(SavedStateLimits.Excess) {
    try buffer.append(text, behind: EncodingBuffer.Head(kind, UInt64(text.utf8.count)))
  }
}

extension EncodingBuffer.Head {
  /// A number, which has up to five bytes: no text is longer than 32 bits count.
  @inline(__always)
  init(number: UInt64) {
    if number < 0x80 {
      self.init(bytes: number, size: 1)
    } else {
      self.init(longNumber: number)
    }
  }

  @inline(never)
  private init(longNumber number: UInt64) {
    var bytes: UInt64 = 0
    var size = 0
    var rest = number
    repeat {
      bytes |= (rest & 0x7F | (rest >= 0x80 ? 0x80 : 0)) &<< UInt64(size &* 8)
      size += 1
      rest &>>= 7
    } while rest > 0
    self.init(bytes: bytes, size: size)
  }

  /// The first byte of a value, and the number of a text's bytes in it or behind it.
  @inline(__always)
  init(_ kind: SavedStateForm.Kind, _ number: UInt64) {
    let first = UInt64(kind.rawValue &<< 4)
    guard number >= UInt64(SavedStateForm.numberFollows) else {
      self.init(bytes: first | number, size: 1)
      return
    }
    let behind = Self(number: number)
    self.init(
      bytes: behind.bytes &<< 8 | first | UInt64(SavedStateForm.numberFollows),
      size: behind.size + 1)
  }
}
