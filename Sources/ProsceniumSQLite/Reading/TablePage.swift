// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What stands in the pages of a database's tables, as SQLite's documented format lays them out.
///
/// A page may have any bytes: what is looked for is found in it, or it is not there.
enum TablePage {
  /// How many bytes of a value a page has that holds nothing else: the number of the next page
  /// stands in front of them.
  static let share = StoreSchema.pageSize - 4

  /// The number of the page that follows one that holds a part of a value and nothing else.
  static func following(_ page: RawSpan) -> UInt32? { page.integer(UInt32.self, at: 0) }

  /// Whether a database's first page says that pages are laid out as here: of the size that a
  /// store's have, nothing reserved at their ends, and none moved to make the file shorter.
  static func isLaidOut(asFirstPage page: RawSpan) -> Bool {
    page.integer(UInt16.self, at: 16) == UInt16(StoreSchema.pageSize)
      && page.integer(UInt8.self, at: 20) == 0 && page.integer(UInt32.self, at: 52) == 0
  }

  /// What stands in the page of a row.
  struct Cell {
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
  enum Step {
    case page(UInt32)
    case cell(Cell)
  }

  /// Goes a step further to a row, or returns `nil` where it is not.
  static func step(to row: Int64, in page: RawSpan) -> Step? {
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
  static func key(of cell: Int, isLeaf: Bool, in page: RawSpan) -> Int64? {
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
