// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Synchronization

/// The segments that stand in the database's file, read without SQLite.
///
/// A segment is read so once a checkpoint has brought it into the file. It may be removed at any
/// time, and its pages be written over: nothing that is read is certain before its seal was opened,
/// and what has none is asked of SQLite.
final class MappedSegments: Sendable {
  private let pages: MappedPages
  /// The first page of the table of segments.
  private let root: UInt32
  /// The number of the last segment that is known to be in the file; 0 if there is none.
  private let last = Atomic<Int64>(0)

  /// Opens the file, or returns `nil` if the system refuses.
  init?(_ path: String, root: Int64) {
    guard let root = UInt32(exactly: root), let pages = MappedPages(path) else { return nil }
    self.pages = pages
    self.root = root
  }

  /// Takes in that everything up to a segment is in the file; called by the writer alone.
  func follow(upTo segment: Int64) {
    pages.grow()
    guard pages.withPage(1, { TablePage.isLaidOut(asFirstPage: $0) }) == true else { return }
    last.store(segment, ordering: .releasing)
  }

  /// Lets nothing be read any more.
  func stop() {
    last.store(0, ordering: .relaxed)
  }

  /// Whether a segment was brought into the file.
  func contains(_ segment: Int64) -> Bool { segment <= last.load(ordering: .acquiring) }

  /// Finds a segment, or returns `nil` if it is not where it is looked for.
  func find(_ segment: Int64) -> SegmentPages? {
    SegmentPages(of: segment, root: root, in: pages)
  }

  /// Reads bytes from an offset of a segment on.
  ///
  /// - Returns: At most `size` bytes, fewer at the segment's end; `nil` if they cannot be read.
  func bytes(of segment: SegmentPages, at offset: Int, size: Int) -> [UInt8]? {
    segment.bytes(at: offset, size: size, in: pages)
  }

  /// Closes the file, to which no connection of SQLite's may be open; whoever reads goes on.
  func close() {
    pages.close()
  }
}
