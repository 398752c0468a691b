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

  /// How many bytes of a value a page has that holds nothing else: the number of the next page
  /// stands in front of them.
  private static let share = StoreSchema.pageSize - 4

  /// The number of the row.
  private let row: Int64
  /// The page of the row, where the value begins, and those with the rest of it.
  private let pages: [UInt32]
  /// Where in the first page the row begins.
  private let cell: Int
  /// Where in the first page the value begins.
  private let start: Int
  /// How many bytes of it are there.
  private let startCount: Int
  /// The number of bytes of the value.
  private let count: Int

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
      rest -= Self.share
      guard let following = file.withPage(next, { $0.integer(UInt32.self, at: 0) })
      else { return nil }
      next = following
    }
    row = segment
    self.pages = pages
    self.cell = cell.offset
    start = cell.start
    startCount = cell.startCount
    count = cell.count
  }

  /// Reads bytes from an offset of the segment on.
  ///
  /// - Returns: At most `size` bytes, fewer at the segment's end; `nil` if they cannot be read.
  func bytes(at offset: Int, size: Int, in file: MappedPages) -> [UInt8]? {
    let size = min(size, count - offset)
    guard offset >= 0, size > 0 else { return nil }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size {
        let place = place(of: offset + filled)
        let part = min(place.count, size - filled)
        let target = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<filled + part])
        let isRead: Void? = file.withPage(pages[place.page]) { page in
          // Rows move in their page when others come and go.
          if place.page == 0, Self.key(of: cell, isLeaf: true, in: page) != row { return nil }
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
    if offset < startCount { return (0, start + offset, startCount - offset) }
    let (page, rest) = (offset - startCount).quotientAndRemainder(dividingBy: Self.share)
    return (page + 1, 4 + rest, Self.share - rest)
  }

  // MARK: - The format of SQLite's files

  /// Whether a database's first page says that pages are laid out as here: of the size that a
  /// store's have, nothing reserved at their ends, and none moved to make the file shorter.
  static func isLaidOut(asFirstPage page: RawSpan) -> Bool {
    page.integer(UInt16.self, at: 16) == UInt16(StoreSchema.pageSize)
      && page.integer(UInt8.self, at: 20) == 0 && page.integer(UInt32.self, at: 52) == 0
  }

  /// What stands in the page of a row.
  private struct Cell {
    /// Where the row begins.
    let offset: Int
    /// Where the value begins.
    let start: Int
    /// How many bytes of it are there.
    let startCount: Int
    /// The number of bytes of the value.
    let count: Int
    /// The page that has what follows.
    let next: UInt32
  }

  /// What a page of a table says of a row.
  private enum Step {
    case page(UInt32)
    case cell(Cell)
  }

  private static func find(
    _ row: Int64, _ root: UInt32, _ file: MappedPages
  ) -> (leaf: UInt32, cell: Cell)? {
    var page = root
    for _ in 0..<depthLimit {
      switch file.withPage(page, { step(to: row, in: $0) }) {
      case .page(let next)?: page = next
      case .cell(let cell)?: return (page, cell)
      case nil: return nil
      }
    }
    return nil
  }

  /// Goes a step further to a row, or returns `nil` where it is not.
  private static func step(to row: Int64, in page: RawSpan) -> Step? {
    let isLeaf: Bool
    switch page.integer(UInt8.self, at: 0) {
    case 0x0D: isLeaf = true
    case 0x05: isLeaf = false
    default: return nil
    }
    guard let cells = page.integer(UInt16.self, at: 3) else { return nil }
    let cellsStart = isLeaf ? 8 : 12
    // The first row that is not before the one that is looked for.
    var range = 0..<Int(cells)
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      guard let cell = page.integer(UInt16.self, at: cellsStart + 2 * middle),
        let found = key(of: Int(cell), isLeaf: isLeaf, in: page)
      else { return nil }
      range = found < row ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    let index = range.lowerBound
    guard index < cells else {
      return isLeaf ? nil : page.integer(UInt32.self, at: 8).map { .page($0) }
    }
    guard let offset = page.integer(UInt16.self, at: cellsStart + 2 * index) else { return nil }
    if !isLeaf { return page.integer(UInt32.self, at: Int(offset)).map { .page($0) } }
    guard key(of: Int(offset), isLeaf: true, in: page) == row else { return nil }
    return cell(at: Int(offset), in: page).map { .cell($0) }
  }

  /// The number of the row that a cell stands for.
  private static func key(of cell: Int, isLeaf: Bool, in page: RawSpan) -> Int64? {
    var position = cell
    if isLeaf {
      guard page.number(&position) != nil else { return nil }
    } else {
      position += 4
    }
    return page.number(&position)
  }

  private static func cell(at offset: Int, in page: RawSpan) -> Cell? {
    var position = offset
    guard let size = page.number(&position).flatMap({ Int(exactly: $0) }), size > 0,
      page.number(&position) != nil
    else { return nil }
    let payload = position
    let local = localSize(of: size)
    let end = payload + local
    // The row's own header: its size, no value for the number, and the size of the body.
    guard let header = page.number(&position), page.number(&position) == 0,
      let type = page.number(&position), type >= 12, type.isMultiple(of: 2),
      header == position - payload, position <= end, end <= page.byteCount
    else { return nil }
    let count = Int((type - 12) / 2)
    guard count == size - (position - payload),
      let next = local == size ? 0 : page.integer(UInt32.self, at: end)
    else { return nil }
    return Cell(
      offset: offset, start: position, startCount: end - position, count: count, next: next)
  }

  /// How many bytes of a row stand in its page.
  private static func localSize(of size: Int) -> Int {
    let largest = StoreSchema.pageSize - 35
    if size <= largest { return size }
    let least = (StoreSchema.pageSize - 12) * 32 / 255 - 23
    let fitting = least + (size - least) % share
    return fitting <= largest ? fitting : least
  }
}

extension RawSpan {
  /// An integer, most significant byte first, or `nil` if it is not all there.
  fileprivate func integer<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type, at offset: Int
  ) -> Value? {
    guard offset >= 0, offset <= byteCount - MemoryLayout<Value>.size else { return nil }
    return unsafe Value(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }

  /// A number of one to nine bytes, and the position behind it, or `nil` if it is not all there.
  fileprivate func number(_ position: inout Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard let byte = integer(UInt8.self, at: position) else { return nil }
      position += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return Int64(bitPattern: value) }
    }
    return nil
  }
}
