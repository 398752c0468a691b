// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// What all contenders send: who sends, the how manieth of him it is, and eight bytes.
package struct NumberedMessage: Sendable, BitwiseCopyable {
  package let sender: UInt64
  package let number: UInt64
  package let payload: UInt64

  package init(sender: UInt64, number: UInt64, payload: UInt64) {
    (self.sender, self.number, self.payload) = (sender, number, payload)
  }

  /// Reads a message.
  package init(_ message: SceneMessage) {
    self = message.withBytes { bytes in unsafe bytes.unsafeLoadUnaligned(as: Self.self) }
  }

  /// The message for a scene.
  package var message: SceneMessage {
    unsafe withUnsafeBytes(of: self) { unsafe SceneMessage($0) }
  }
}
