// SPDX-License-Identifier: Apache-2.0

/// Cuts chunks of text into lines, and stores no more of a line than its limit.
struct LineSplitter: Sendable {
  /// One line of the input, without its end (LF or CR LF).
  enum Line: Equatable, Sendable {
    case text(ArraySlice<UInt8>)
    /// A line over the limit, of which nothing is kept.
    case tooLong
  }

  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private let limit: Int
  private var chunk: [UInt8] = []
  private var position = 0
  // The beginning of a line whose end is not in the chunk.
  private var beginning: [UInt8] = []
  private var isTooLong = false

  /// Makes a splitter; the limit is in bytes, without the line end.
  init(limit: Int) { self.limit = limit }

  /// Takes the next chunk; the earlier one must have been used up.
  mutating func feed(_ bytes: [UInt8]) {
    chunk = bytes
    position = 0
  }

  /// The next line that ends in what was fed; nil where more is needed.
  mutating func nextLine() -> Line? {
    guard let end = chunk[position...].firstIndex(of: Self.newline) else {
      keep(chunk[position...])
      position = chunk.count
      return nil
    }
    let rest = chunk[position..<end]
    position = end + 1
    if beginning.isEmpty, !isTooLong { return line(rest) }
    keep(rest)
    return takeBeginning()
  }

  /// The last line, if the input does not end with a line end.
  mutating func lastLine() -> Line? {
    beginning.isEmpty && !isTooLong ? nil : takeBeginning()
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    // One byte more than the limit, for a CR that belongs to the line end.
    if isTooLong || beginning.count + bytes.count > limit + 1 {
      isTooLong = true
      beginning = []
    } else {
      beginning += bytes
    }
  }

  private mutating func takeBeginning() -> Line {
    defer {
      beginning = []
      isTooLong = false
    }
    return isTooLong ? .tooLong : line(beginning[...])
  }

  private func line(_ bytes: ArraySlice<UInt8>) -> Line {
    let text = bytes.last == Self.carriageReturn ? bytes.dropLast() : bytes
    return text.count > limit ? .tooLong : .text(text)
  }
}
