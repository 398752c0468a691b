// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The segments that were written last, in memory as they are in the file.
///
/// What stands in the log has no place in the mapping of the database: SQLite reads it page by page
/// with the system's help, and finds the pages of a long value one through the other. Many a
/// session is restored soon after it was left.
struct RecentSegments: Sendable {
  /// How many bytes are kept, 16 MiB: about what the log has.
  static let limit = 16 << 20

  /// In the order of their numbers, without a gap; the first ones may have been dropped.
  private var segments: ContiguousArray<[UInt8]> = []
  /// How many of the first ones were dropped and still take a place.
  private var dropped = 0
  /// The number of the first one that takes a place.
  private var first: Int64 = 0

  /// The bytes that are kept, with those that arrays have in reserve.
  private(set) var size = 0

  /// The bytes of a segment, if they are kept.
  subscript(number: Int64) -> [UInt8]? {
    guard number >= first + Int64(dropped), number < first + Int64(segments.count) else {
      return nil
    }
    return segments[Int(number - first)]
  }

  /// Keeps a segment, and drops the oldest ones where there are too many bytes.
  ///
  /// - Parameters:
  ///   - bytes: The segment's bytes.
  ///   - number: Its number, above those of all that were added before.
  mutating func add(_ bytes: [UInt8], _ number: Int64) {
    if number != first + Int64(segments.count) {
      self = RecentSegments()
      first = number
    }
    segments.append(bytes)
    size += bytes.capacity
    while size > Self.limit {
      size -= segments[dropped].capacity
      segments[dropped] = []
      dropped += 1
    }
    guard dropped > 64, dropped > segments.count / 2 else { return }
    segments.removeFirst(dropped)
    first += Int64(dropped)
    dropped = 0
  }
}
