// SPDX-License-Identifier: Apache-2.0

/// What the clients of a session need that goes to another process, so that they go on there as if
/// it had stayed.
///
/// What they have sent is not a part of it: the number of the last input is saved with the state.
package struct HandedOverLine: Sendable, Equatable {
  /// A client that was there, or may come back.
  package struct Client: Sendable, Equatable {
    package let identifier: ClientIdentifier
    package let watches: Bool
    /// The last frame that it does not need again.
    package let acknowledged: UInt64

    package init(_ identifier: ClientIdentifier, watches: Bool, acknowledged: UInt64) {
      self.identifier = identifier
      self.watches = watches
      self.acknowledged = acknowledged
    }
  }

  /// How large it is at most, in bytes.
  package static let sizeLimit = 64 << 10
  /// How many epochs are known.
  package static let epochLimit = 8

  package let session: SessionIdentifier
  /// By which numbers clients know frames: for each epoch the last one that has left in it.
  package let known: [FrameNumber]
  package let clients: [Client]
  /// How many frames there were before those that it has.
  package private(set) var skipped: UInt64
  package private(set) var frames: [SceneMessage]

  package init(
    _ session: SessionIdentifier, known: [FrameNumber], clients: [Client], skipped: UInt64,
    frames: [SceneMessage]
  ) {
    self.session = session
    self.known = known
    self.clients = clients
    self.skipped = skipped
    self.frames = frames
  }

  /// How many frames there were in all.
  package var frameCount: UInt64 { skipped + UInt64(frames.count) }

  /// How many bytes it has without its frames.
  private var headSize: Int { 36 + 16 * known.count + 25 * clients.count }

  /// How many bytes it has.
  package var size: Int { frames.reduce(headSize) { $0 + Self.size(of: $1) } }

  private static func size(of frame: SceneMessage) -> Int { 4 + frame.count }

  /// Leaves its first frames out, so that it is no larger than so many bytes: a client that has not
  /// seen them gets everything again.
  package func limited(to limit: Int) -> HandedOverLine {
    var left = limit - headSize
    let kept = frames.reversed().prefix { frame in
      left -= Self.size(of: frame)
      return left >= 0
    }
    var line = self
    line.frames = Array(frames.suffix(kept.count))
    line.skipped = frameCount - UInt64(kept.count)
    return line
  }
}
