// SPDX-License-Identifier: Apache-2.0

/// A client that asks for a line, on its way to the session's scene.
final class LineRequest: Sendable {
  let client: ClientIdentifier
  /// The number of the next input that the client has not sent yet.
  let nextInput: UInt64
  let request: LineLedger.Request
  let ticket = WelcomeTicket()
  /// Where the client waits until the input of which it is told is as durable as was promised.
  let durable = CompletionTicket()

  init(_ request: LineLedger.Request, nextInput: UInt64) {
    client = request.client
    self.request = request
    self.nextInput = nextInput
  }
}

/// What a client is told that got a line.
struct Welcome: Sendable {
  let line: SessionLine
  let attachment: LineLedger.Attachment
  /// The last input of the client that is applied, or for which it has to wait no longer.
  let lastInput: UInt64
}

/// Awaits that a client has a line.
final class WelcomeTicket: Ticket {
  let cell = TicketCell<Welcome>()
}

/// A request that a scene emits everything again, for a client that is behind.
final class RenderRequest: Sendable {
  let line: SessionLine
  /// Names the line of the client.
  let lineNumber: UInt64

  init(_ line: SessionLine, _ lineNumber: UInt64) {
    self.line = line
    self.lineNumber = lineNumber
  }
}
