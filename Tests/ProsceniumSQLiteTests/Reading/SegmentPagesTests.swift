// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumSQLite

/// Values are found in files that SQLite has written.
@Suite struct SegmentPagesTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `every part of every value is where SQLite has put it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let file = try SegmentFile()
    let values = try file.fill(&random)
    let pages = try #require(MappedPages(file.path))
    pages.grow()
    for (row, value) in values.sorted(by: { $0.key < $1.key }) {
      let found = try #require(SegmentPages(of: row, root: file.root, in: pages), "row \(row)")
      #expect(found.bytes(at: 0, size: .max, in: pages) == (value.isEmpty ? nil : value))
      for _ in 0..<4 where !value.isEmpty {
        let start = Int.random(in: 0..<value.count, using: &random)
        let size = Int.random(in: 1...20_000, using: &random)
        #expect(
          found.bytes(at: start, size: size, in: pages)
            == Bytes(value[start..<min(start + size, value.count)]))
      }
      for outside in [-1, value.count, value.count + 1, Int.max] {
        #expect(found.bytes(at: outside, size: 1, in: pages) == nil)
      }
    }
    for row in -3..<SegmentFile.rows + 3 where values[row] == nil {
      #expect(SegmentPages(of: row, root: file.root, in: pages) == nil, "row \(row)")
    }
    for row in [Int64.min, .max] {
      #expect(SegmentPages(of: row, root: file.root, in: pages) == nil)
    }
  }

  @Test func `a value that takes very many pages is left to SQLite`() throws {
    let file = try SegmentFile()
    try file.write([1: Bytes(repeating: 1, count: 500_000), 2: Bytes(repeating: 2, count: 600_000)])
    let pages = try #require(MappedPages(file.path))
    pages.grow()
    #expect(SegmentPages(of: 1, root: file.root, in: pages) != nil)
    #expect(SegmentPages(of: 2, root: file.root, in: pages) == nil)
  }

  @Test func `what the file had before it was looked at is read alone`() throws {
    let file = try SegmentFile()
    try file.write([1: [1, 2, 3]])
    let pages = try #require(MappedPages(file.path))
    #expect(SegmentPages(of: 1, root: file.root, in: pages) == nil)
    pages.grow()
    let found = try #require(SegmentPages(of: 1, root: file.root, in: pages))
    #expect(found.bytes(at: 0, size: 3, in: pages) == [1, 2, 3])
    let last = try #require(try ReadOnlyFile(file.path)?.size()) / StoreSchema.pageSize
    #expect(pages.withPage(UInt32(last)) { $0.byteCount } == StoreSchema.pageSize)
    for outside in [0, UInt32(last) + 1, .max] {
      #expect(pages.withPage(outside) { $0.byteCount } == nil)
    }
  }

  @Test func `a file that grows shows its pages, beyond what is mapped at once as well`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("pages", [])
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    let pages = try #require(MappedPages(path))
    let perWindow = (64 << 20) / StoreSchema.pageSize
    let marked = [1, 2, perWindow, perWindow + 1, 2 * perWindow + 7]
    for (index, number) in marked.enumerated() {
      try file.seek(toOffset: UInt64((number - 1) * StoreSchema.pageSize))
      try file.write(contentsOf: Data(repeating: UInt8(number % 251), count: StoreSchema.pageSize))
      for later in marked[index...] {
        #expect(pages.withPage(UInt32(later)) { $0.byteCount } == nil)
      }
      pages.grow()
      for earlier in marked[...index] {
        let found = pages.withPage(UInt32(earlier)) { page in
          (0..<page.byteCount).contains { page.byte($0) != UInt8(earlier % 251) } ? nil : earlier
        }
        #expect(found == earlier)
      }
    }
    try file.close()
  }

  @Test(arguments: [
    (8_000, 101, 4, true), (8_089, 101, 4, true), (8_090, 101, 4, false),
    (8_180, 101, 4, false), (8_191, 101, 4, false), (8_000, 100, 4, false), (8_000, 101, 5, false),
  ])
  func `a row is taken for one if it is all there`(
    offset: Int, size: UInt8, header: UInt8, isRow: Bool
  ) throws {
    var page = Bytes(repeating: 0, count: StoreSchema.pageSize)
    page.replaceSubrange(
      0..<10,
      with: [
        0x0D, 0, 0, 0, 1, 0, 0, 0, UInt8(offset >> 8), UInt8(offset & 0xFF),
      ])
    // A row with the number 7 and a value of 97 bytes.
    for (index, byte) in [size, 7, header, 0, 0x81, 0x4E].enumerated()
    where offset + index < page.count {
      page[offset + index] = byte
    }
    let folder = try TemporaryFolder()
    let pages = try #require(MappedPages(try folder.file("page", page)))
    pages.grow()
    let found = SegmentPages(of: 7, root: 1, in: pages)
    #expect(found?.bytes(at: 0, size: 200, in: pages)?.count == (isRow ? 97 : nil))
  }

  /// Pages may be written over while they are read: nothing in them may end the process.
  @Test(arguments: 0..<12 as Range<UInt64>)
  func `whatever stands in the pages, the look-up ends`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let file = try SegmentFile()
    _ = try file.fill(&random)
    var bytes = try Bytes(Data(contentsOf: URL(fileURLWithPath: file.path)))
    let count = bytes.count / StoreSchema.pageSize
    for _ in 0..<200 {
      // Mostly where pages say what is in them.
      let isRoot = UInt8.random(in: 0..<8, using: &random) == 0
      let number = isRoot ? Int(file.root) - 1 : Int.random(in: 0..<count, using: &random)
      let page = number * StoreSchema.pageSize
      let head = Int.random(in: 0..<64, using: &random)
      let byte =
        Bool.random(using: &random)
        ? head : Int.random(in: 0..<StoreSchema.pageSize, using: &random)
      let value: UInt8 = [0, 0x05, 0x0D, 0x7F, 0x80, 0xFF][Int.random(in: 0..<6, using: &random)]
      bytes[page + byte] = Bool.random(using: &random) ? value : UInt8(random.next() & 0xFF)
    }
    let torn = try file.folder.file("torn", bytes)
    let pages = try #require(MappedPages(torn))
    pages.grow()
    for _ in 0..<400 {
      let row = Int64.random(in: -1...SegmentFile.rows, using: &random)
      let page = UInt32.random(in: 1...UInt32(count), using: &random)
      for root in [file.root, page] {
        let found = SegmentPages(of: row, root: root, in: pages)
        let start = Int.random(in: 0..<70_000, using: &random)
        let part = found?.bytes(at: start, size: 9_000, in: pages) ?? []
        #expect(part.count <= 9_000)
      }
    }
  }
}

/// A database with a table as a store has it.
private struct SegmentFile {
  static let rows: Int64 = 1_500

  let folder: TemporaryFolder
  let root: UInt32
  var path: String { folder.path("database") }

  init() throws {
    folder = try TemporaryFolder()
    let queue = try ConnectionQueue(folder.path("database"), label: "test")
    root = try queue.wait { (connection) throws(StoreError) in
      try connection.execute("PRAGMA journal_mode = WAL")
      try connection.execute(StoreSchema.steps[0])
      return UInt32(try StoreSchema.firstPage(of: "segment", on: connection))
    }
    queue.close()
  }

  /// Writes values, and brings them into the file.
  func write(_ values: [Int64: Bytes], removing removed: [Int64] = []) throws {
    let queue = try ConnectionQueue(path, label: "test")
    try queue.wait { (connection) throws(StoreError) in
      let insert = try connection.prepare("INSERT INTO segment VALUES (?1, ?2)")
      let delete = try connection.prepare("DELETE FROM segment WHERE seg = ?1")
      defer {
        insert.finalize()
        delete.finalize()
      }
      try connection.transaction { () throws(StoreError) in
        for (row, value) in values {
          insert.bind(row, 1)
          try insert.run(with: value, 2)
        }
        for row in removed {
          delete.bind(row, 1)
          try delete.run()
        }
      }
      _ = try connection.checkpoint(.truncating)
    }
    queue.close()
  }

  /// Writes values of all sizes, removes some and writes others where they were.
  func fill(_ random: inout SplitMix64) throws -> [Int64: Bytes] {
    var values: [Int64: Bytes] = [:]
    let pool = Bytes.drawn(80_000, &random)
    for round in 0..<3 {
      var new: [Int64: Bytes] = [:]
      for row in 1..<Self.rows where values[row] == nil && row % 3 <= round {
        new[row] = Bytes(pool.suffix(Self.size(&random) + Int(row)).dropLast(Int(row)))
      }
      let removed = values.keys.sorted().filter { _ in UInt8.random(in: 0..<8, using: &random) == 0
      }
      try write(new, removing: removed)
      values.merge(new) { $1 }
      for row in removed { values[row] = nil }
    }
    return values
  }

  /// Around what fits into a page and what does not, with few long ones.
  private static func size(_ random: inout SplitMix64) -> Int {
    switch UInt8.random(in: 0..<20, using: &random) {
    case 0: 0
    case 1: Int.random(in: 60_000...70_000, using: &random)
    case 2: Int.random(in: 8_100...8_200, using: &random)
    case 3: Int.random(in: 16_200...16_400, using: &random)
    case 4...6: Int.random(in: 1_000...9_000, using: &random)
    default: Int.random(in: 1...600, using: &random)
    }
  }
}

extension RawSpan {
  fileprivate func byte(_ offset: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
