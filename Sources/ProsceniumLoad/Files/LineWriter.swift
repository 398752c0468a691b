// SPDX-License-Identifier: Apache-2.0

/// Writes lines of text to a new file or to standard output, in blocks of 64 KiB.
///
/// Call ``finish()`` at the end: lines that are still in memory are lost without it.
public struct LineWriter: ~Copyable, Sendable {
  private let file: ByteFile
  private let path: String
  private var buffer: [UInt8] = []

  /// Opens the file and removes what stood in it.
  ///
  /// - Parameter path: The path of the file; `-` is standard output.
  /// - Throws: `.cannotOpen`.
  public init(path: String) throws(OutputError) {
    self.path = path
    do {
      file = try ByteFile(replacing: path)
    } catch {
      throw OutputError(
        .cannotOpen, path: path, message: "expected a file that can be written: \(error.text).")
    }
  }

  /// Adds a line and its end.
  ///
  /// - Parameter line: The text, without a line end.
  /// - Throws: `.writeFailed` or `.closedPipe` where a full block could not be written.
  public mutating func write(_ line: String) throws(OutputError) {
    buffer.append(contentsOf: line.utf8)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= ByteFile.chunkSize { try flush() }
  }

  /// Writes what is still in memory and closes the file.
  ///
  /// - Throws: `.writeFailed`, `.closedPipe`.
  public consuming func finish() throws(OutputError) {
    try flush()
  }

  private mutating func flush() throws(OutputError) {
    do {
      try file.write(buffer)
    } catch {
      throw OutputError(error, path: path)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
