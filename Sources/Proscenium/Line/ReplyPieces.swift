// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The caller's end of a reply that comes in pieces.
///
/// ```swift
/// let pieces = try await application.stream("draw", to: session)
/// while let piece = try await pieces.next() { show(piece) }
/// ```
///
/// The end of this object, or of the task that reads, tells the scene that nothing more is wanted.
public final class ReplyPieces: Sendable {
  private let channel: ReplyChannel

  init(_ channel: ReplyChannel) {
    self.channel = channel
  }

  deinit {
    channel.cancel()
  }

  /// Waits for the next piece; for one task at a time.
  ///
  /// - Returns: The piece; nil after the last one, or when the task is cancelled.
  /// - Throws: `unhandledCall` if the delegate sends no such replies, `lost` if the scene has gone
  ///   before its reply was finished.
  public func next() async throws(SceneError) -> SceneMessage? {
    try await withTaskCancellationHandler {
      await Result { () async throws(SceneError) in try await channel.next() }
    } onCancel: {
      channel.cancel()
    }.get()
  }
}
