// SPDX-License-Identifier: Apache-2.0

/// Application keys as people write them: hexadecimal digits, the primary key first.
enum KeyText {
  /// The number of hexadecimal digits of a key.
  static let digitCount = 2 * ApplicationKeys.keySize

  /// Reads one key, or the primary and the previous one.
  ///
  /// - Parameters:
  ///   - text: The keys; spaces and line ends around each are ignored.
  ///   - separator: What is between the keys; one at the end is ignored.
  ///   - place: Where the text is, for messages.
  /// - Returns: The keys.
  /// - Throws: `keyUnavailable`, without any of the digits.
  static func keys(
    in text: [UInt8], separatedBy separator: Character, place: String
  ) throws(SealingError) -> ApplicationKeys {
    var parts = text.split(
      separator: separator.asciiValue ?? 0, omittingEmptySubsequences: false
    ).map(trimmed)
    while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    guard parts.count <= 2 else {
      throw SealingError(
        .keyUnavailable,
        "\(place): expected a key and perhaps the one before it, found"
          + " \(parts.count) keys.")
    }
    var keys: [[UInt8]] = []
    defer { for index in keys.indices { keys[index].wipe() } }
    for part in parts { keys.append(try key(part, place)) }
    return try ApplicationKeys(primary: keys[0], previous: keys.count > 1 ? keys[1] : nil)
  }

  /// The digits of a key, and a line end.
  static func line(_ key: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return key.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [UInt8(ascii: "\n")]
  }

  /// Whether the bytes look like digits of a key.
  static func isHexadecimal(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { value(of: $0) != nil }
  }

  private static func key(
    _ digits: ArraySlice<UInt8>, _ place: String
  ) throws(SealingError) -> [UInt8] {
    guard digits.count == digitCount else {
      throw SealingError(
        .keyUnavailable,
        "\(place): expected a key of \(digitCount) hexadecimal digits, found"
          + " \(digits.count) characters.")
    }
    var key: [UInt8] = []
    key.reserveCapacity(ApplicationKeys.keySize)
    for index in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
      guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else {
        let position = index - digits.startIndex + 1
        throw SealingError(
          .keyUnavailable,
          "\(place): expected \(digitCount) hexadecimal digits, found something else at character"
            + " \(position) or \(position + 1).")
      }
      key.append(high << 4 | low)
    }
    return key
  }

  private static func trimmed(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
    guard let first = part.firstIndex(where: { !isSpace($0) }),
      let last = part.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return part[first...last]
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
