// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// A format from outside that is refused: where it stands, why, and a caret under the place.
struct PredicateRefusal: Error, CustomStringConvertible {
  /// The file and the JSON path, or nil for an argument of the program.
  let place: String?
  let format: String
  let error: PredicateFormatError

  /// Makes the predicate of a format.
  static func predicate(
    _ format: String, _ arguments: [any Sendable] = [], place: @autoclosure () -> String? = nil
  ) throws(PredicateRefusal) -> ContentPredicate {
    do {
      return try ContentPredicate(format: format, arguments: arguments)
    } catch {
      throw PredicateRefusal(place: place(), format: format, error: error)
    }
  }

  var description: String {
    Terminal.oneLine((place.map { "\($0): " } ?? "") + "\(error)") + caret
  }

  // MARK: - The caret

  /// Two lines: the format around the position, and a caret under it.
  private var caret: String {
    guard let position = error.position, (0...format.utf8.count).contains(position) else {
      return ""
    }
    let bytes = Array(format.utf8)
    let isLineEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
    let start = bytes[..<position].lastIndex(where: isLineEnd).map { $0 + 1 } ?? 0
    let end = bytes[position...].firstIndex(where: isLineEnd) ?? bytes.count
    // A long line is cut on both sides, so that the caret stays under its character.
    let before = Self.shown(bytes[start..<position])
    let after = Self.shown(bytes[position..<end])
    let left = before.count > Self.reach ? "…" + before.suffix(Self.reach) : before
    let right = after.count > Self.reach ? after.prefix(Self.reach) + "…" : after
    return "\n  \(left)\(right)\n  \(String(repeating: " ", count: left.count))^"
  }

  private static let reach = 36

  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    Terminal.oneLine(String(decoding: bytes, as: UTF8.self))
  }
}
