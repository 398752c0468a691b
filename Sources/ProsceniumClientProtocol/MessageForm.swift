// SPDX-License-Identifier: Apache-2.0

/// The form in which the messages of a line travel; `Docs/CLIENT-PROTOCOL.md` has both.
public enum MessageForm: Sendable, Hashable {
  /// As few bytes as possible.
  case bytes
  /// Text, for clients such as pages of a browser. Content that is not UTF-8 is repaired.
  case text

  /// Reads a client's message.
  func read(_ bytes: ArraySlice<UInt8>) throws(ClientProtocolError) -> ClientMessage? {
    switch self {
    case .bytes: try ClientMessage.read(bytes)
    case .text: try ClientMessage.read(text: bytes)
    }
  }

  /// A host's message in this form.
  func message(_ message: HostMessage) -> [UInt8] {
    switch self {
    case .bytes: message.bytes
    case .text: message.text
    }
  }
}
