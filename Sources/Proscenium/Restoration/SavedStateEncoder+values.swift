// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SavedStateEncoder {
  /// Encodes a value that is in so many dictionaries, arrays and sets.
  mutating func value(_ value: UserInfoValue, depth: Int) throws(Refusal) {
    valueCount += 1
    switch value {
    case .null:
      try checkPropertyList()
      head(.null, 0)
    case .boolean(let value): head(.boolean, value ? 1 : 0)
    case .integer(let value): head(.integer, SavedStateForm.doubled(value))
    case .real(let value): real(.real, value)
    case .date(let value): real(.date, value.timeIntervalSinceReferenceDate)
    case .string(let text): string(text)
    case .url(let text):
      try checkPropertyList()
      head(.url, UInt64(text.utf8.count))
      append(text: text)
    case .data(let data): self.data(data)
    case .array(let values):
      guard try open(.array, values.count, depth: depth + 1) else { return }
      // Lent, not copied, which would count references.
      let lent = values.span
      for index in lent.indices { try member(lent[index], "[\(index)]", depth + 1) }
    case .dictionary(let values):
      guard try open(.dictionary, values.count, depth: depth + 1) else { return }
      for (key, value) in values.sorted(by: { SavedStateForm.precedes($0.key, $1.key) }) {
        try entry(key, value, depth: depth + 1)
      }
    case .set(let values):
      try checkPropertyList()
      guard try open(.set, values.count, depth: depth + 1) else { return }
      try members(values, depth: depth + 1)
    }
    try checkSize()
  }

  mutating func entry(
    _ key: String, _ value: UserInfoValue, depth: Int
  ) throws(Refusal) {
    append(name: key)
    try member(value, key, depth)
  }

  private mutating func member(
    _ value: UserInfoValue, _ key: @autoclosure () -> String, _ depth: Int
  ) throws(Refusal) {
    do throws(Refusal) {
      try self.value(value, depth: depth)
    } catch {
      throw error.under(key())
    }
  }

  /// Encodes the members of a set in the order of their bytes.
  private mutating func members(
    _ values: Set<UserInfoValue>, depth: Int
  ) throws(Refusal) {
    let start = bytes.count
    var members: [[UInt8]] = []
    for value in values {
      try member(value, "[…]", depth)
      members.append(Array(bytes[start...]))
      bytes.removeLast(bytes.count - start)
    }
    members.sort { $0.lexicographicallyPrecedes($1) }
    for member in members { bytes.append(contentsOf: member) }
  }

  /// Begins an array, a dictionary or a set, and tells whether its members follow.
  private mutating func open(
    _ kind: SavedStateForm.Kind, _ count: Int, depth: Int
  ) throws(Refusal) -> Bool {
    guard depth > limits.depth else {
      head(kind, UInt64(count))
      return true
    }
    // What is too deep could be so deep that the stack does not suffice.
    if isMeasuring { return false }
    throw .other(
      SavedStateError(
        .limitExceeded,
        expected: "arrays, dictionaries and sets at most \(limits.depth) deep within one another",
        found: "one more"))
  }

  private func checkPropertyList() throws(Refusal) {
    guard isPropertyList, !isMeasuring else { return }
    throw .other(
      SavedStateError(
        .notPropertyList, expected: "a value of a property list", found: "a null, a set or a URL"))
  }

  // MARK: - Bytes

  mutating func string(_ text: String) {
    head(.string, UInt64(text.utf8.count))
    append(text: text)
  }

  mutating func data(_ data: [UInt8]) {
    head(.data, UInt64(data.count))
    bytes.append(contentsOf: data)
  }

  mutating func real(_ kind: SavedStateForm.Kind, _ value: Double) {
    head(kind, 0)
    append(bitsOf: value)
  }

  /// The first byte of a value, and the number in it or behind it.
  mutating func head(_ kind: SavedStateForm.Kind, _ number: UInt64) {
    guard number >= UInt64(SavedStateForm.numberFollows) else {
      return bytes.append(kind.rawValue << 4 | UInt8(truncatingIfNeeded: number))
    }
    bytes.append(kind.rawValue << 4 | SavedStateForm.numberFollows)
    append(number: number)
  }

  mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func append(name: String) {
    append(number: UInt64(name.utf8.count))
    append(text: name)
  }

  private mutating func append(text: String) {
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe bytes.append(contentsOf: $0)
    }
    // Only a bridged string is not contiguous.
    if isDone == nil { bytes.append(contentsOf: text.utf8) }
  }

  mutating func append(bitsOf value: Double) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(shift)))
    }
  }
}
