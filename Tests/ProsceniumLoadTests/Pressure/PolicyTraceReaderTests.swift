// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Foundation
import Testing

@testable import ProsceniumLoad

@Suite struct PolicyTraceReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `names are sessions in the order of their first line`() throws {
    let trace = try read("b\na\n\n  b \r\n17\na")
    #expect(trace.events == [0, 1, 0, 2, 1])
    #expect(trace.sessionCount == 3)
  }

  @Test func `seconds may have decimals and fall back`() throws {
    let trace = try read("100.9 a\n103 b\n102\ta\n110 100\n")
    #expect(trace.events == [0, 1, 0, 2])
  }

  @Test func `a log has the sessions that a replay gives it`() throws {
    let trace = try read(
      Self.lines([
        ("1.1.1.1", "/a", "-"), ("1.1.1.1", "/b", "/a"), ("2.2.2.2", "/a", "-"),
        ("1.1.1.1", "/c", "-"), ("1.1.1.1", "/b", "-"), ("1.1.1.1", "/d", "/b"),
        ("2.2.2.2", "/a", "-"),
      ]) + "no request\n")
    // The first window has /a and /b, the second of the same user /c.
    #expect(trace.events == [0, 0, 1, 2, 0, 0, 1])
    #expect(trace.malformedCount == 1)
    #expect(trace.discards.isEmpty)
  }

  @Test func `a virtual host is not the client`() throws {
    let requests = [("1.1.1.1", "/a", "-"), ("2.2.2.2", "/a", "-"), ("1.1.1.1", "/b", "/a")]
    let lines = Self.lines(requests.map { ("example.net:80 " + $0.0, $0.1, $0.2) })
    let trace = try read(lines + lines.replacing("example.net", with: "example.org"))
    // The same paths of another host are open in other windows.
    #expect(trace.events == [0, 1, 0, 2, 3, 2])
    #expect(trace.malformedCount == 0)
  }

  @Test func `one window too many destroys the least recently used`() throws {
    let requests = (0..<9).map { ("1.1.1.1", "/\($0)", "-") }
    let again = [("1.1.1.1", "/0", "-"), ("1.1.1.1", "/2", "-")]
    let trace = try read(Self.lines(requests[..<8] + again[..<1] + requests[8...] + again[1...]))
    #expect(trace.events == [0, 1, 2, 3, 4, 5, 6, 7, 0, 8, 2])
    #expect(trace.discards == [PolicyTrace.Discard(event: 9, session: 1)])
  }

  @Test(
    arguments: [
      ("", "noEvents", nil), ("\n \n", "noEvents", nil), ("a b c d\n", "noEvents", nil),
      ("a\nb c\n", "malformedLine", 2), ("1 a\n\nb\n", "malformedLine", 3),
      ("1 a\n-1 b\n", "malformedLine", 2), ("1 a\n1. b\n", "malformedLine", 2),
      ("1 a\n1 b c\n", "malformedLine", 2), ("1 a\n1234567890123 b\n", "malformedLine", 2),
      (String(repeating: "x", count: 257), "malformedLine", 1),
      ("a\n" + String(repeating: "x", count: 70_000) + "\nb\n", "malformedLine", 2),
    ] as [(String, String, Int?)])
  func `what is no trace is refused`(text: String, code: String, line: Int?) throws {
    do {
      _ = try read(text)
      Issue.record("expected an error")
    } catch let error as FileError {
      #expect(error.code.rawValue == code && error.line == line, "\(error)")
      #expect(
        error.description.hasPrefix(folder.path + "/trace:" + (line.map { "\($0): e" } ?? " e")))
    }
  }

  @Test(arguments: [3, 70_000])
  func `a run of NUL bytes is a malformed line of a log, and no name`(count: Int) throws {
    let hole = String(repeating: "\0", count: count)
    let requests = [("1.1.1.1", "/a", "-"), ("2.2.2.2", "/a", "-")]
    let trace = try read(hole + "\n" + Self.lines(requests) + hole + "\n" + Self.lines(requests))
    #expect(trace.events == [0, 1, 0, 1])
    #expect(trace.malformedCount == 2)
    let names = String(repeating: "name\n", count: 20_000)
    #expect(throws: FileError.self) { try read(names + hole + "\n") }
  }

  @Test func `binary data is refused`() throws {
    #expect(throws: FileError.self) { try read("a\u{0}b\n") }
  }

  private func read(_ text: String) throws -> PolicyTrace {
    let path = folder.path + "/trace"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return try PolicyTraceReader.read(path)
  }

  private static func lines(_ requests: some Sequence<(String, String, String)>) -> String {
    requests.map { client, path, referrer in
      "\(client) - - [17/May/2015:10:05:03 +0000] \"GET \(path) HTTP/1.1\" 200 7 "
        + "\"\(referrer)\" \"agent\"\n"
    }.joined()
  }
}
