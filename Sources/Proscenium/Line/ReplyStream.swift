// SPDX-License-Identifier: Apache-2.0

/// The scene's end of a reply that comes in pieces.
///
/// A delegate keeps it for as long as it replies, and hands it to the work that it starts. If the
/// last reference goes before ``finish()``, the caller is told that the rest is `lost`: with the
/// scene, for example.
public final class ReplyStream: Sendable {
  /// How many pieces may wait for the caller.
  public static let limit = 1_024

  private let session: SessionIdentifier
  private let channel: ReplyChannel

  init(_ session: SessionIdentifier, _ channel: ReplyChannel) {
    self.session = session
    self.channel = channel
  }

  deinit {
    fail(SceneError(.lost, session: session, "the scene has gone before its reply was finished"))
  }

  /// Whether the caller has gone: nothing more is wanted.
  public var isCancelled: Bool { channel.isCancelled }

  /// Sends a piece of the reply; after ``finish()`` nothing is sent.
  ///
  /// - Parameter piece: The piece.
  /// - Throws: `cancelled` if the caller has gone, `limitExceeded` if ``limit`` pieces wait for it
  ///   already or the piece is larger than a message: it is not sent then.
  public func send(_ piece: SceneMessage) throws(SceneError) {
    guard piece.count <= SceneMessage.sizeLimit else {
      throw SceneError(
        .limitExceeded, session: session,
        "expected a piece of at most \(SceneMessage.sizeLimit) bytes, found \(piece.count)")
    }
    switch channel.send(piece) {
    case .sent, .ended: return
    case .cancelled: throw SceneError(.cancelled, session: session, "the caller has gone")
    case .full:
      throw SceneError(
        .limitExceeded, session: session, "\(Self.limit) pieces of the reply wait for its caller")
    }
  }

  /// Ends the reply.
  public func finish() {
    channel.end(.success(()))
  }

  func fail(_ error: SceneError) {
    channel.end(.failure(error))
  }
}
