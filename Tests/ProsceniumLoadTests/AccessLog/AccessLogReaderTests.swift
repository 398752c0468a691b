// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumLoad
import Testing

@Suite struct AccessLogReaderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What a reader found: the requests' paths by line, the malformed lines, and the error.
  private struct Result: Equatable {
    var paths: [Int: String] = [:]
    var malformed: [Int] = []
    var error: FileError.Code?
  }

  private func read(_ path: String) -> Result {
    var result = Result()
    do {
      var reader = try AccessLogReader(path: path)
      while let entry = try reader.next() {
        switch entry {
        case .request(let line, let number): result.paths[number] = line.path
        case .malformed(_, let number): result.malformed.append(number)
        }
      }
    } catch {
      result.error = error.code
    }
    return result
  }

  private func line(_ path: String) -> String {
    #"a - - [17/May/2015:10:05:03 +0000] "GET \#(path) HTTP/1.1" 200 1 "-" "b""# + "\n"
  }

  /// A log that is larger than any of the reader's buffers.
  private func largeLog() -> (text: String, paths: [Int: String]) {
    var text = ""
    var paths: [Int: String] = [:]
    for number in 1...5_000 {
      paths[number] = "/page/\(number)"
      text += line("/page/\(number)")
    }
    return (text, paths)
  }

  @Test func `a plain log is read line by line`() throws {
    let text = line("/1") + "noise\n\n" + line("/4").replacing("\n", with: "\r\n") + line("/5")
    let path = try folder.file("log", String(text.dropLast()))
    #expect(read(path) == Result(paths: [1: "/1", 4: "/4", 5: "/5"], malformed: [2]))
  }

  @Test func `a byte order mark is no part of the first client`() throws {
    let path = try folder.file("log", "\u{FEFF}" + line("/1"))
    var reader = try AccessLogReader(path: path)
    guard case .request(let line, _) = try reader.next() else {
      Issue.record("no request")
      return
    }
    #expect(line.client == "a")
  }

  @Test func `the reader counts lines, requests and bytes`() throws {
    let text = line("/1") + "noise\n \n" + line("/4")
    var reader = try AccessLogReader(path: try folder.file("log", text))
    while try reader.next() != nil {}
    #expect(reader.lineCount == 4)
    #expect(reader.requestCount == 2)
    #expect(reader.malformedCount == 1)
    #expect(reader.bytesRead == text.utf8.count)
    #expect(reader.size == text.utf8.count)
  }

  @Test func `a gzip log is read like a plain one`() throws {
    let (text, paths) = largeLog()
    let compressed = Gzip.member(text)
    #expect(compressed.count < text.utf8.count / 5)
    #expect(read(try folder.file("plain", text)) == Result(paths: paths))
    #expect(read(try folder.file("gz", compressed)) == Result(paths: paths))
  }

  @Test(arguments: [0, 7])
  func `gzip members follow one another, zeros behind them are ignored`(_ zeros: Int) throws {
    let (text, _) = largeLog()
    // A member may end inside a line.
    let bytes = Array(text.utf8)
    let members =
      Gzip.member(Array(bytes[..<1_000])) + Gzip.member("") + Gzip.member(Array(bytes[1_000...]))
    let path = try folder.file("gz", members + Array(repeating: 0, count: zeros))
    #expect(read(path).paths.count == 5_000)
    #expect(read(path).error == nil)
  }

  @Test func `truncated gzip is told wherever it ends`() throws {
    let (text, _) = largeLog()
    let whole = Gzip.member(text)
    // Two bytes tell the format; fewer are a line of text.
    for count in [2, 9, 10, 11, 500, whole.count / 2, whole.count - 8, whole.count - 1] {
      let path = try folder.file("gz", Array(whole.prefix(count)))
      #expect(read(path).error == .truncatedGzip, "after \(count) bytes")
    }
  }

  @Test func `damaged gzip is told`() throws {
    let (text, _) = largeLog()
    let whole = Gzip.member(text)
    for index in [2, whole.count / 2, whole.count - 8, whole.count - 1] {
      var damaged = whole
      damaged[index] ^= 0xFF
      let error = read(try folder.file("gz", damaged)).error
      #expect(error == .damagedGzip || error == .truncatedGzip, "at byte \(index)")
    }
    #expect(read(try folder.file("gz", whole + Array("noise".utf8))).error == .damagedGzip)
  }

  @Test func `gzip without content has no requests`() throws {
    #expect(read(try folder.file("gz", Gzip.member(""))).error == .noRequests)
  }

  @Test(
    arguments: [
      [0x7F, 0x45, 0x4C, 0x46, 0x02, 0x00],
      [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], [0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x10],
      [0x50, 0x4B, 0x03, 0x04, 0x14, 0x08], [0x00],
    ] as [[UInt8]])
  func `binary input is no log`(_ bytes: [UInt8]) throws {
    #expect(read(try folder.file("binary", bytes)).error == .notALog)
    #expect(read(try folder.file("gz", Gzip.member(bytes + [0]))).error == .notALog)
  }

  // As a loss of power leaves them, or a log that is truncated while its server writes.
  @Test(arguments: [1, 512, 65_535, 65_536, 70_000, 300_000], [false, true])
  func `a run of NUL bytes is one malformed line everywhere`(
    _ count: Int, _ isCompressed: Bool
  ) throws {
    let hole = String(repeating: "\0", count: count)
    let text = hole + line("/1") + line("/2") + hole + "\n" + line("/4") + "a - - [17/M" + hole
    let path = try folder.file("log", isCompressed ? Gzip.member(text) : Array(text.utf8))
    #expect(read(path) == Result(paths: [2: "/2", 4: "/4"], malformed: [1, 3, 5]))
    var reader = try AccessLogReader(path: path)
    while try reader.next() != nil {}
    #expect(reader.lineCount == 5)
  }

  @Test func `a run of NUL bytes may end a first line that breaks off`() throws {
    let hole = String(repeating: "\0", count: 70_000)
    let path = try folder.file("log", "a - - [17/M" + hole + "\n" + line("/2").dropLast())
    #expect(read(path) == Result(paths: [2: "/2"], malformed: [1]))
  }

  @Test func `a request far behind the beginning of binary data makes no log of it`() throws {
    let data = Array(repeating: [0, 1, 0x0A] as [UInt8], count: 40_000).flatMap { $0 }
    let path = try folder.file("binary", data + Array(line("/1").utf8))
    #expect(read(path) == Result(error: .notALog))
  }

  @Test func `NUL bytes without an end are no log`() {
    #expect(read("/dev/zero") == Result(error: .notALog))
  }

  @Test func `an empty file has no requests`() throws {
    #expect(read(try folder.file("empty", "")) == Result(error: .noRequests))
    #expect(read(try folder.file("blank", "\n \n\t\n")) == Result(error: .noRequests))
    #expect(read("/dev/null") == Result(error: .noRequests))
  }

  @Test func `malformed lines alone are no log, and the first one is told`() throws {
    let path = try folder.file("log", "\nHello\nWorld\n")
    #expect(read(path) == Result(malformed: [2, 3], error: .noRequests))
    var reader = try AccessLogReader(path: path)
    let error = #expect(throws: FileError.self) { while try reader.next() != nil {} }
    #expect(
      error?.description
        == path + ": expected a request, found 2 malformed lines, the first at line 2, "
        + "column 6: expected a space after the client's address.")
  }

  @Test func `a directory and a missing file are told`() throws {
    #expect(read(folder.path).error == .isDirectory)
    #expect(read(folder.path + "/none").error == .noSuchFile)
    #expect(read("").error == .noSuchFile)
    let log = try folder.file("log", line("/1"))
    #expect(read(log + "/below").error == .noSuchFile)
    #expect(read(log + "\0behind").error == .noSuchFile)
  }

  @Test(arguments: [false, true])
  func `a line of a megabyte is malformed and costs no memory`(_ isCompressed: Bool) throws {
    let long = line("/" + String(repeating: "x", count: 1_000_000))
    let text = line("/1") + long + line("/3")
    let path = try folder.file("log", isCompressed ? Gzip.member(text) : Array(text.utf8))
    #expect(read(path) == Result(paths: [1: "/1", 3: "/3"], malformed: [2]))
  }

  @Test func `a line at the limit is read, one byte more is not`() throws {
    let room = AccessLogReader.lineLimit - (line("").utf8.count - 1)
    let longest = "/" + String(repeating: "x", count: room - 1)
    let path = try folder.file("log", line(longest) + line(longest + "x"))
    #expect(read(path) == Result(paths: [1: longest], malformed: [2]))
  }
}
