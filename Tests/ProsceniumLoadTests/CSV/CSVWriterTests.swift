// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Foundation
import Testing

@testable import ProsceniumLoad

@Suite struct CSVWriterTests {
  private static let header =
    "schema_version,run,suite,name,labels,t_s,metric,percentile,value,unit\r\n"
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ rows: [CSVRow], to path: String) throws {
    var writer = try CSVWriter(appendingTo: path, run: "r")
    try writer.write(rows)
    try writer.finish()
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try folder.bytes(path), as: UTF8.self)
  }

  private let row = CSVRow(.replay, name: "a", metric: "lost", value: 0)

  @Test func `a new file gets a header, an old one more rows`() throws {
    let path = folder.path + "/new.csv"
    try write([row], to: path)
    #expect(try text(path) == Self.header + "1,r,replay,a,,,lost,,0,1\r\n")
    try write([row, row], to: path)
    #expect(
      try text(path)
        == Self.header + String(repeating: "1,r,replay,a,,,lost,,0,1\r\n", count: 3))
  }

  @Test func `of two writers that find no file one writes the header`() throws {
    let path = folder.path + "/new.csv"
    var one = try CSVWriter(appendingTo: path, run: "one")
    var two = try CSVWriter(appendingTo: path, run: "two")
    try two.write(row)
    try one.write(row)
    try two.finish()
    try one.finish()
    #expect(
      try text(path)
        == Self.header + "1,two,replay,a,,,lost,,0,1\r\n1,one,replay,a,,,lost,,0,1\r\n")
  }

  @Test func `rows of many writers at once stay whole`() async throws {
    let path = folder.path + "/new.csv"
    let row = row
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          var csv = try CSVWriter(appendingTo: path, run: "w\(writer)")
          // More than a block, so that they take turns.
          for _ in 0..<6_000 { try csv.write(row) }
          try csv.finish()
        }
      }
      try await group.waitForAll()
    }
    let lines = try text(path).components(separatedBy: "\r\n")
    #expect(lines.first.map { $0 + "\r\n" } == Self.header && lines.last == "")
    let counts = Dictionary(grouping: lines.dropFirst().dropLast()) { $0 }.mapValues(\.count)
    let expected = (0..<8).map { ("1,w\($0),replay,a,,,lost,,0,1", 6_000) }
    #expect(counts == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test func `no row is added to one that another run has left without its end`() throws {
    let path = folder.path + "/new.csv"
    var writer = try CSVWriter(appendingTo: path, run: "r")
    try writer.write(row)
    let torn = Self.header + "1,other,rep"
    _ = try folder.file("new.csv", torn)
    do {
      try writer.finish()
      Issue.record("the row was written")
    } catch {
      #expect(error.code == .incompleteLastRow)
    }
    #expect(try text(path) == torn)
  }

  @Test func `an empty file is a new one`() throws {
    let path = try folder.file("empty.csv", "")
    try write([], to: path)
    #expect(try text(path) == Self.header)
  }

  @Test(
    arguments: [
      ("plain", "plain"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
      ("a\r\nb", "\"a\r\nb\""), ("é ", "é "), ("", ""),
    ])
  func `fields are quoted where they must be`(_ name: String, _ field: String) throws {
    var row = row
    row.name = name
    let path = folder.path + "/new.csv"
    try write([row], to: path)
    #expect(try text(path) == Self.header + "1,r,replay,\(field),,,lost,,0,1\r\n")
  }

  @Test(
    arguments: [
      ("a,b,c\n", FileError.Code.otherHeader), ("x", .otherHeader),
      (header.replacing("\r\n", with: "2\r\n"), .otherHeader),
      (String(header.dropLast()), .otherHeader),
      (header + "1,r,replay", .incompleteLastRow),
    ])
  func `another file is refused and stays as it is`(
    _ content: String, _ code: FileError.Code
  ) throws {
    let path = try folder.file("old.csv", content)
    let error = #expect(throws: FileError.self) { try write([row], to: path) }
    #expect(error?.code == code)
    #expect(error?.description.hasPrefix(path) == true)
    #expect(try text(path) == content)
  }

  @Test func `a file with plain line ends is accepted`() throws {
    let old = Self.header.replacing("\r\n", with: "\n")
    let path = try folder.file("old.csv", old)
    try write([row], to: path)
    #expect(try text(path) == old + "1,r,replay,a,,,lost,,0,1\r\n")
  }

  @Test func `a folder and a missing folder can't be written`() throws {
    for path in [folder.path, folder.path + "/none/x.csv", ""] {
      let error = #expect(throws: FileError.self) { try write([row], to: path) }
      #expect(error?.code == .cannotOpen)
    }
  }

  @Test func `a row against the schema is refused and not written`() throws {
    let path = folder.path + "/new.csv"
    var writer = try CSVWriter(appendingTo: path, run: "r")
    for metric in ["", "Lost", "lost-lines", "1st", "größe", "_x"] {
      var row = row
      row.metric = metric
      let error = #expect(throws: FileError.self) { try writer.write(row) }
      #expect(error?.code == .invalidRow)
    }
    for percentile in [-1, 100.5] {
      var row = row
      row.percentile = CSVNumber(percentile)
      let error = #expect(throws: FileError.self) { try writer.write(row) }
      #expect(error?.code == .invalidRow)
    }
    try writer.finish()
    #expect(try text(path) == Self.header)
  }

  @Test func `many rows are written in blocks`() throws {
    let path = folder.path + "/new.csv"
    try write(Array(repeating: row, count: 10_000), to: path)
    #expect(try text(path).utf8.count == Self.header.utf8.count + 10_000 * 26)
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/dev/full"), "only Linux has a full device"))
  func `a full disk is told`() throws {
    var writer = try CSVWriter(appendingTo: "/dev/full", run: "r")
    try writer.write(row)
    do {
      try writer.finish()
      Issue.record("the row was written")
    } catch {
      #expect(error.code == .writeFailed)
    }
  }

  @Test func `lines are written over an old file`() throws {
    let path = try folder.file("old.log", "something longer than what follows")
    var writer = try LineWriter(path: path)
    try writer.write("one")
    try writer.write("")
    try writer.finish()
    #expect(try text(path) == "one\n\n")
    let error = #expect(throws: FileError.self) {
      _ = try LineWriter(path: folder.path).finish()
    }
    #expect(error?.code == .cannotOpen)
  }
}
