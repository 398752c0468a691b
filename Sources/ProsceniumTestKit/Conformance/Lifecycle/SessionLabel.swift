// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// The name of a session in a suite: `S1`, `S2` and so on.
struct SessionLabel: JSONName, Comparable {
  static let expected = "the label of a session, such as S1"
  private static let numbers = 1...999_999_999_999

  let number: Int

  init(number: Int) {
    self.number = number
  }

  init?(_ text: String) { self.init(text[...]) }

  /// Reads a label; nil if the text is none.
  init?(_ text: Substring) {
    guard text.first == "S", let number = Int(text.dropFirst()), Self.numbers.contains(number),
      text.dropFirst().utf8.elementsEqual("\(number)".utf8)
    else { return nil }
    self.number = number
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

/// The name of a scene in a suite: `S1#2` is the second one that was connected to `S1`.
struct SceneLabel: JSONName, Comparable {
  static let expected = "the label of a scene, such as S1#1"

  let session: SessionLabel
  let instance: Int

  init(_ session: SessionLabel, instance: Int) {
    self.session = session
    self.instance = instance
  }

  /// Reads a label; nil if the text is none.
  init?(_ text: String) {
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2, let session = SessionLabel(parts[0]), let instance = Int(parts[1]),
      instance > 0, parts[1].utf8.elementsEqual("\(instance)".utf8)
    else { return nil }
    self.init(session, instance: instance)
  }

  var description: String { "\(session)#\(instance)" }

  static func < (left: SceneLabel, right: SceneLabel) -> Bool {
    (left.session, left.instance) < (right.session, right.instance)
  }
}
