// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// Reads the rows of a CSV file (RFC 4180, UTF-8) one after another, in little memory.
struct CSVLines: ~Copyable {
  /// The most bytes that a row may have: 1 MiB.
  static let rowLimit = 1 << 20

  private let file: ByteFile
  private var block: [UInt8] = []
  private var next = 0
  private var linesOfRow = 1
  /// The line in which the last row began, from 1.
  private(set) var line = 0

  /// Opens a file.
  ///
  /// - Throws: `.noSuchFile`, `.isDirectory` or `.unreadable`.
  init(path: String) throws(FileError) {
    let file = try ByteFile(reading: path)
    // It is here that a directory is found out.
    _ = try file.size()
    self.file = file
  }

  /// Reads the next row.
  ///
  /// - Parameters:
  ///   - bytes: Becomes the bytes of the row's fields, without quotes, one after another.
  ///   - ends: Becomes the end of each field in the bytes.
  /// - Returns: Whether there was a row.
  /// - Throws: `.unreadable`; `.incompleteLastRow` if the file ends within a row, `.tooLarge` if a
  ///   row is too long.
  mutating func read(_ bytes: inout [UInt8], _ ends: inout [Int]) throws(FileError) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    line += linesOfRow
    var scanner = CSVScanner()
    while true {
      if next == block.count {
        block = try file.read()
        next = 0
      }
      if block.isEmpty {
        if bytes.isEmpty, ends.isEmpty, scanner.isUntouched { return false }
        throw FileError(
          .incompleteLastRow, file: file.name, line: line,
          "expected a line end after the last row; the file was cut off.")
      }
      var place = next
      let hasEnded = scanner.scan(block.span, from: &place, &bytes, &ends)
      next = place
      guard bytes.count <= Self.rowLimit else {
        throw FileError(
          .tooLarge, file: file.name, line: line,
          "expected a row of at most \(Self.rowLimit >> 10) KiB.")
      }
      if hasEnded {
        linesOfRow = 1 + scanner.innerLines
        return true
      }
    }
  }
}

/// Takes one row of a CSV file (RFC 4180) apart, wherever the blocks of the file end.
struct CSVScanner {
  /// How many line ends there were inside of the row's quotes.
  private(set) var innerLines = 0
  private var isQuoted = false
  private var wasQuoted = false

  /// Whether nothing of the row has come.
  var isUntouched: Bool { !isQuoted && !wasQuoted }

  /// Reads bytes up to the end of the row, or of the block.
  ///
  /// - Parameters:
  ///   - block: Bytes of the file.
  ///   - next: Where to begin; becomes the place after what was read.
  ///   - bytes: Gets the bytes of the fields, without quotes.
  ///   - ends: Gets the end of each field in the bytes.
  /// - Returns: Whether the row has ended.
  mutating func scan(
    _ block: borrowing Span<UInt8>, from next: inout Int, _ bytes: inout [UInt8],
    _ ends: inout [Int]
  ) -> Bool {
    while next < block.count {
      let byte = block[next]
      next += 1
      if isQuoted {
        scanQuoted(byte, &bytes)
        continue
      }
      switch byte {
      case UInt8(ascii: ","):
        ends.append(bytes.count)
        wasQuoted = false
      case UInt8(ascii: "\n"):
        if bytes.last == UInt8(ascii: "\r"), bytes.count > ends.last ?? 0 { bytes.removeLast() }
        ends.append(bytes.count)
        return true
      case UInt8(ascii: "\""):
        // A second quote stands for one in the text.
        if wasQuoted { bytes.append(byte) }
        isQuoted = true
        wasQuoted = false
      default: bytes.append(byte)
      }
    }
    return false
  }

  private mutating func scanQuoted(_ byte: UInt8, _ bytes: inout [UInt8]) {
    if byte == UInt8(ascii: "\"") {
      (isQuoted, wasQuoted) = (false, true)
    } else {
      if byte == UInt8(ascii: "\n") { innerLines += 1 }
      bytes.append(byte)
    }
  }
}
