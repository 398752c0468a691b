// SPDX-License-Identifier: Apache-2.0

// What clients ask for, and what comes of it.
extension LineLedger {
  /// A client that asks for a line.
  struct Request: Sendable {
    let client: ClientIdentifier
    /// The last frame that it shows; nil if it shows nothing.
    var lastSeen: FrameNumber?
    var watches = false
    var isVisible = true
    /// The numbers that its first input may have.
    var firstInput: ClosedRange<UInt64> = 1...1
    /// Whether its input may have been applied and forgotten.
    var isForgotten = false
  }

  /// What a line has for its client.
  enum Output: Sendable, Equatable {
    case reset(OutputReset)
    case frame(SceneFrame)
    case acknowledged(UInt64)
    /// Frames are lost for the client: the scene has to emit everything again.
    case needsRendering
    case ended(LineEnd)
    /// The client knows that the line has ended.
    case over
  }

  /// What a request for a line has come to.
  struct Attachment: Sendable, Equatable {
    /// Names the line.
    let number: UInt64
    let watches: Bool
    /// Why the scene has to emit everything again, if it has.
    let reset: OutputReset?
    /// How many frames there were before.
    let frameCount: UInt64
  }
}
