// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// What a client says over its line.
///
/// `Docs/CLIENT-PROTOCOL.md` has the bytes.
public enum ClientMessage: Sendable, Hashable {
  /// The first message: who it is, and where it goes on.
  case hello(ClientHello)
  /// Input with its number: one more than that of the input before.
  case input(UInt64, SceneMessage)
  /// The client has all frames of the welcome's epoch up to a number, and does not need them again.
  case ack(UInt64)
  /// Whether the client sees the scene.
  case visible(Bool)
}

/// Who a client is, and where it goes on.
public struct ClientHello: Sendable, Hashable {
  /// The version of the protocol that this program speaks.
  public static let version: UInt8 = 1

  /// How long an address may be, in bytes of UTF-8.
  public static let addressLimit = 1_024

  /// The client.
  public var client: ClientIdentifier

  /// The last frame that the client shows, or `nil` if it shows nothing.
  public var lastSeen: FrameNumber?

  /// The number of the client's next new input: greater than any that it has used.
  public var nextInput: UInt64

  /// Whether the client sees the scene.
  public var isVisible: Bool

  /// Whether the client only watches.
  public var watches: Bool

  /// Which session the client wants, in words of the host.
  public var address: String

  /// Creates a hello.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - lastSeen: The last frame that it shows.
  ///   - nextInput: The number of its next new input.
  ///   - isVisible: Whether it sees the scene.
  ///   - watches: Whether it only watches.
  ///   - address: Which session it wants.
  public init(
    client: ClientIdentifier, lastSeen: FrameNumber? = nil, nextInput: UInt64 = 1,
    isVisible: Bool = true, watches: Bool = false, address: String = ""
  ) {
    self.client = client
    self.lastSeen = lastSeen
    self.nextInput = nextInput
    self.isVisible = isVisible
    self.watches = watches
    self.address = address
  }
}

/// What a host says over a client's line.
public enum HostMessage: Sendable, Hashable {
  /// The client has a line, or gets everything again over the one that it has.
  case welcome(ClientWelcome)
  /// A frame.
  case frame(SceneFrame)
  /// All input up to a number is applied for good.
  case acknowledged(UInt64)
  /// The session is served at another address from now on.
  case move(String)
  /// The line has ended.
  case end(ClientEnd)
}

/// What a client is told that has a line.
public struct ClientWelcome: Sendable, Hashable {
  /// The epoch of the frames that follow.
  public var epoch: UInt64

  /// The last input that the client needs not send again.
  public var lastInput: UInt64

  /// Why everything follows again, or `nil` if the client goes on with what it shows.
  public var reset: OutputReset?

  /// Whether the client only watches.
  public var watches: Bool

  /// Creates a welcome.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the frames that follow.
  ///   - lastInput: The last input that the client needs not send again.
  ///   - reset: Why everything follows again.
  ///   - watches: Whether the client only watches.
  public init(epoch: UInt64, lastInput: UInt64, reset: OutputReset? = nil, watches: Bool = false) {
    self.epoch = epoch
    self.lastInput = lastInput
    self.reset = reset
    self.watches = watches
  }
}

/// Why a host ends a line.
public enum ClientEnd: Sendable, Hashable {
  /// Another line of the client, or another client, has its place.
  case takenOver
  /// There is no such session, or it has ended: the client need not come back.
  case sessionEnded
  /// The host is about to end: the client comes back later.
  case hostEnded
  /// An input had another number than the next one.
  case wrongInput(expected: UInt64)
  /// The scene emitted more at once than is kept for a client.
  case outputTooLarge
  /// The client may not attach, or not do what it did.
  case refused
  /// The host does not speak the version of the hello; it speaks this one.
  case unsupportedVersion(UInt8)
  /// The host could not read what the client sent.
  case unreadable
  /// The host is busy, or cannot read the session now: the client comes back later.
  case busy
}
