// SPDX-License-Identifier: Apache-2.0

/// The number of a frame: how many came before it, in an epoch of its session's output.
///
/// Frames live in memory. An epoch begins when a client attaches to a session that keeps no frames:
/// for the first time in a run of the application, and after none had come back for a long time. No
/// number is given twice.
public struct FrameNumber: Sendable, Hashable {
  /// The epoch; a later one is greater.
  public let epoch: UInt64

  /// How many frames of the epoch there are up to this one: 1 for the first frame, 0 for none.
  public let count: UInt64

  /// Creates a number.
  ///
  /// - Parameters:
  ///   - epoch: The epoch.
  ///   - count: How many frames of the epoch there are up to this one.
  public init(epoch: UInt64, count: UInt64) {
    self.epoch = epoch
    self.count = count
  }
}

/// One piece of a session's output.
public struct SceneFrame: Sendable, Hashable {
  /// The number, by which a client acknowledges it.
  public let number: FrameNumber

  /// What the scene has emitted.
  public let content: SceneMessage

  /// Creates a frame, as a client reads it.
  package init(number: FrameNumber, content: SceneMessage) {
    self.number = number
    self.content = content
  }
}
