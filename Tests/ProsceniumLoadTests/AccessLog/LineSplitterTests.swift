// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLoad

@Suite struct LineSplitterTests {
  /// Cuts a text that arrives in pieces; nil is a line over the limit.
  private func lines(_ text: String, limit: Int, chunk: Int) -> [String?] {
    var splitter = LineSplitter(limit: limit)
    var lines: [String?] = []
    var rest = Array(text.utf8)[...]
    while true {
      let piece = rest.prefix(chunk)
      rest = rest.dropFirst(chunk)
      splitter.feed(Array(piece))
      while let line = splitter.nextLine() { lines.append(name(line)) }
      if rest.isEmpty { break }
    }
    if let line = splitter.lastLine() { lines.append(name(line)) }
    return lines
  }

  private func name(_ line: LineSplitter.Line) -> String? {
    if case .text(let bytes) = line { return String(decoding: bytes, as: UTF8.self) }
    return nil
  }

  @Test(arguments: 1...9)
  func `the size of the chunks does not matter`(_ chunk: Int) {
    #expect(
      lines("ab\n\ncd\r\nabcd\nabcde\nabcd\r\nabcde\r\nx", limit: 4, chunk: chunk)
        == ["ab", "", "cd", "abcd", nil, "abcd", nil, "x"])
    #expect(lines("", limit: 4, chunk: chunk) == [])
    #expect(lines("\n", limit: 4, chunk: chunk) == [""])
    #expect(lines("abcdefghijk", limit: 4, chunk: chunk) == [nil])
    #expect(lines("abcd\r", limit: 4, chunk: chunk) == ["abcd"])
  }
}
