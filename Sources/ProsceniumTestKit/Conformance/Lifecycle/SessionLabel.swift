// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// The name of a session in a suite: `S1`, `S2` and so on.
struct SessionLabel: Sendable, Hashable, Comparable, CustomStringConvertible {
  private static let numbers = 1...999_999_999_999

  let number: Int

  init(number: Int) {
    self.number = number
  }

  /// Reads a label; nil if the text is none.
  init?(_ text: some StringProtocol) {
    guard text.first == "S", let number = Int(text.dropFirst()), Self.numbers.contains(number),
      text.dropFirst().utf8.elementsEqual("\(number)".utf8)
    else { return nil }
    self.number = number
  }

  init(_ node: JSONNode) throws(JSONFileError) {
    guard let label = SessionLabel(try node.text()) else {
      throw node.failure(.unknownValue, "the label of a session, such as S1")
    }
    self = label
  }

  var description: String { "S\(number)" }

  static func < (left: SessionLabel, right: SessionLabel) -> Bool { left.number < right.number }

  /// The identifier of a session that a setup gives none: its last twelve digits are the number.
  var defaultIdentifier: SessionIdentifier {
    var digits: UInt64 = 0
    for (position, digit) in "\(number)".utf8.reversed().enumerated() {
      digits |= UInt64(digit - UInt8(ascii: "0")) << UInt64(4 * position)
    }
    return SessionIdentifier(high: 0x4000, low: 0x8000_0000_0000_0000 | digits)
  }

  /// An identifier for a session that the runtime makes; each attempt gives another one.
  func newIdentifier(attempt: UInt64) -> SessionIdentifier {
    SessionIdentifier(high: 0x4000 + attempt << 16, low: 0x9000_0000_0000_0000 | UInt64(number))
  }
}
