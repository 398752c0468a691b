// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLoad

@Suite struct CSVScannerTests {
  /// Reads the rows of a text that comes in blocks of a size.
  private func rows(_ text: String, blockSize: Int) -> [[String]] {
    let all = Array(text.utf8)
    let blocks = stride(from: 0, to: all.count, by: blockSize).map {
      Array(all[$0..<min($0 + blockSize, all.count)])
    }
    var rows: [[String]] = []
    var scanner = CSVScanner()
    var bytes: [UInt8] = [], ends: [Int] = []
    for block in blocks {
      var next = 0
      while next < block.count {
        guard scanner.scan(block.span, from: &next, &bytes, &ends) else { break }
        let starts = [0] + ends.dropLast()
        rows.append(zip(starts, ends).map { String(decoding: bytes[$0..<$1], as: UTF8.self) })
        (scanner, bytes, ends) = (CSVScanner(), [], [])
      }
    }
    return rows
  }

  @Test(arguments: 1...9)
  func `rows are the same wherever a block ends`(blockSize: Int) {
    let text = "a,b,c\r\n1,,3\n\"x,y\",\"he said \"\"no\"\"\",\"two\r\nlines\"\r\n,,\r\n"
    #expect(
      rows(text, blockSize: blockSize) == [
        ["a", "b", "c"], ["1", "", "3"], ["x,y", "he said \"no\"", "two\r\nlines"], ["", "", ""],
      ])
  }

  @Test func `a return that is in quotes at the end of a field is kept`() {
    #expect(rows("a,b\r\n", blockSize: 100) == [["a", "b"]])
    #expect(rows("\"\"\r\n", blockSize: 100) == [[""]])
  }
}
