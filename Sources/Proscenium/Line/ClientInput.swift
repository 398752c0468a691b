// SPDX-License-Identifier: Apache-2.0

/// Input of a client, on its way to the session's scene.
final class ClientInput: Sendable {
  let number: UInt64
  let message: SceneMessage
  let client: ClientIdentifier
  let line: SessionLine
  /// Names the line of the client.
  let lineNumber: UInt64

  init(
    _ number: UInt64, _ message: SceneMessage, of client: ClientIdentifier, _ line: SessionLine,
    _ lineNumber: UInt64
  ) {
    self.number = number
    self.message = message
    self.client = client
    self.line = line
    self.lineNumber = lineNumber
  }

  /// Tells the client that this input, and all before it, is applied for good.
  func acknowledge() {
    line.change { $0.acknowledgeInput(number, of: client) }
  }
}
