// SPDX-License-Identifier: Apache-2.0

/// How large a saved state may be; what is larger is refused when it is captured.
///
/// The limits concern the activity and the session's `userInfo`. Snapshots have their own:
/// ``SceneSession/snapshotSizeLimit`` bytes each, ``snapshotCountLimit`` of them.
public struct SavedStateLimits: Sendable, Hashable {
  /// How many bytes the state may have in its encoding, without the snapshots: 1 MiB unless set, at
  /// most 64 MiB.
  public let byteCount: Int

  /// How many arrays, dictionaries and sets may be within one another, a `userInfo` included:
  /// 64 unless set, at most 512.
  public let depth: Int

  /// How many values there may be in all: 65,536 unless set.
  public let valueCount: Int

  /// How many snapshots a state may have.
  public static let snapshotCountLimit = 8

  /// How many bytes a snapshot may have, its name included.
  static let snapshotByteLimit = 1 << 20

  /// The greatest depth that can be set, and that is read.
  static let greatestDepth = 512

  /// The greatest size that can be set.
  static let greatestByteCount = 64 << 20

  /// Creates limits; each one is brought into its range.
  ///
  /// - Parameters:
  ///   - byteCount: How many bytes the state may have in its encoding, without the snapshots.
  ///   - depth: How many arrays, dictionaries and sets may be within one another.
  ///   - valueCount: How many values there may be in all.
  public init(byteCount: Int = 1 << 20, depth: Int = 64, valueCount: Int = 65_536) {
    self.byteCount = min(max(byteCount, 0), Self.greatestByteCount)
    self.depth = min(max(depth, 1), Self.greatestDepth)
    self.valueCount = max(valueCount, 0)
  }

  /// The same without limits but of the depth, for what is checked as a whole later.
  var ofDepthAlone: SavedStateLimits {
    SavedStateLimits(byteCount: .max, depth: depth, valueCount: .max)
  }
}
