// SPDX-License-Identifier: Apache-2.0

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
