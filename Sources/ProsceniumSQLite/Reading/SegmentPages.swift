// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Where the bytes of a segment stand in the pages of the database.
///
/// SQLite finds a place in a value by going from page to page, each time anew. This goes there once
/// as the format of SQLite's files says, and remembers the pages. Whoever reads by it cannot know
/// whether SQLite has moved the segment since: he looks at the seal of what he reads.
final class SegmentPages: Sendable {
  /// How many pages a segment has at most that is read so: longer ones have few records.
  private static let limit = 64

  /// How many pages lie above one another in a tree at most.
  private static let depthLimit = 12

  /// The number of the row.
  private let row: Int64
  /// The page of the row, where the value begins, and those with the rest of it.
  private let pages: [UInt32]
  /// What stands in the first page.
  private let cell: TablePage.Cell

  /// Finds a segment, or returns `nil` if it is not where it is looked for.
  ///
  /// - Parameters:
  ///   - segment: The number of its row.
  ///   - root: The first page of the table.
  ///   - file: The pages.
  init?(of segment: Int64, root: UInt32, in file: MappedPages) {
    guard let (leaf, cell) = Self.find(segment, root, file) else { return nil }
    var pages = [leaf]
    var rest = cell.count - cell.startCount
    var next = cell.next
    while rest > 0 {
      guard pages.count < Self.limit else { return nil }
      pages.append(next)
      rest -= TablePage.share
      guard let following = file.withPage(next, { TablePage.following($0) })
      else { return nil }
      next = following
    }
    row = segment
    self.pages = pages
    self.cell = cell
  }

  /// Reads bytes from an offset of the segment on.
  ///
  /// - Returns: At most `size` bytes, fewer at the segment's end; `nil` if they cannot be read.
  func bytes(at offset: Int, size: Int, in file: MappedPages) -> [UInt8]? {
    let size = min(size, cell.count - offset)
    guard offset >= 0, size > 0 else { return nil }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size {
        let place = place(of: offset + filled)
        let part = min(place.count, size - filled)
        let target = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<filled + part])
        let isRead: Void? = file.withPage(pages[place.page]) { page in
          // Rows move in their page when others come and go.
          if place.page == 0, TablePage.key(of: cell.offset, isLeaf: true, in: page) != row {
            return nil
          }
          return unsafe page.extracting(place.offset..<place.offset + part).withUnsafeBytes {
            unsafe target.copyMemory(from: $0)
          }
        }
        guard isRead != nil else { return }
        filled += part
      }
    }
    return bytes.count == size ? bytes : nil
  }

  /// Which of the pages has the byte at an offset, where, and how many follow there.
  private func place(of offset: Int) -> (page: Int, offset: Int, count: Int) {
    if offset < cell.startCount { return (0, cell.start + offset, cell.startCount - offset) }
    let (page, rest) = (offset - cell.startCount).quotientAndRemainder(dividingBy: TablePage.share)
    return (page + 1, 4 + rest, TablePage.share - rest)
  }

  private static func find(
    _ row: Int64, _ root: UInt32, _ file: MappedPages
  ) -> (leaf: UInt32, cell: TablePage.Cell)? {
    var page = root
    for _ in 0..<depthLimit {
      switch file.withPage(page, { TablePage.step(to: row, in: $0) }) {
      case .page(let next)?: page = next
      case .cell(let cell)?: return (page, cell)
      case nil: return nil
      }
    }
    return nil
  }
}
