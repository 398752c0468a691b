// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// A message that says who sent it, the how manieth of that sender's it is, and to whom.
package struct NumberedMessage: Sendable, Hashable, CustomStringConvertible {
  private let bits: UInt64

  /// Makes a message.
  package init(sender: Int, number: Int, session: Int) {
    bits = UInt64(sender) << 52 | UInt64(number) << 26 | UInt64(session)
  }

  /// Reads a message.
  package init(_ message: SceneMessage) {
    bits = message.bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Who sent it: 0 to 4,095.
  package var sender: Int { Int(bits >> 52) }
  /// The how manieth of the sender it is, from 0 on.
  package var number: Int { Int(bits >> 26 & 0x3FF_FFFF) }
  /// To whom it was sent.
  package var session: Int { Int(bits & 0x3FF_FFFF) }

  /// The message.
  package var message: SceneMessage {
    SceneMessage((0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
  }

  /// All three in words.
  package var description: String { "message \(number) of sender \(sender) to session \(session)" }
}
