// SPDX-License-Identifier: Apache-2.0

public import ProsceniumJSON

/// Appends rows to a CSV file (RFC 4180, UTF-8, lines ended by CR LF).
///
/// A new or empty file gets the header row; to a file that has it the rows are added. Several
/// writers, also of several processes, can have one file: each adds whole rows, behind the header
/// that the first one writes. What cannot be written leaves the file as it was. Call ``finish()``
/// at the end: rows that are still in memory are lost without it.
public struct CSVWriter: ~Copyable, Sendable {
  private static let lineEnd = "\r\n"
  private static let header = CSVRow.columns.joined(separator: ",")
  private static let headerLine = Array((header + lineEnd).utf8)

  private let file: ByteFile
  private let run: String
  /// Whether others can have it, and where it ends can be seen: not a pipe or a device.
  private let isRegular: Bool
  private var buffer: [UInt8] = []

  /// Opens a file, or makes it.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - run: The identifier of the run, which is in each row.
  /// - Throws: `.cannotOpen`; `.otherHeader` where the file begins with another row;
  ///   `.incompleteLastRow` where its last row has no end. The file is then as before.
  public init(appendingTo path: String, run: String) throws(FileError) {
    let file = try ByteFile(appendingTo: path)
    let isRegular = try file.size() != nil
    if isRegular { try file.locked { () throws(FileError) in try Self.check(file) } }
    self.init(file, run: run, isRegular: isRegular)
  }

  private init(_ file: consuming ByteFile, run: String, isRegular: Bool) {
    self.file = file
    self.run = run
    self.isRegular = isRegular
    if !isRegular { buffer += Self.headerLine }
  }

  /// Adds a row.
  ///
  /// - Parameter row: The row.
  /// - Throws: `.invalidRow` where the row breaks the schema, and nothing is added;
  ///   as ``finish()`` where a full block could not be written.
  public mutating func write(_ row: CSVRow) throws(FileError) {
    guard row.metric.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil else {
      throw FileError(
        .invalidRow, file: file.name, "expected a metric in snake_case, got \(row.metric).")
    }
    if let percentile = row.percentile {
      guard let value = Double(percentile.description), (0...100).contains(value) else {
        throw FileError(
          .invalidRow, file: file.name, "expected a percentile from 0 to 100, got \(percentile).")
      }
    }
    let line = row.fields(run: run).map(Self.quoted).joined(separator: ",") + Self.lineEnd
    buffer += Array(line.utf8)
    if buffer.count >= ByteFile.chunkSize { try flush() }
  }

  /// Adds rows in their order.
  ///
  /// - Parameter rows: The rows.
  /// - Throws: As ``write(_:)-(CSVRow)``; the rows before the failing one are added.
  public mutating func write(_ rows: [CSVRow]) throws(FileError) {
    for row in rows { try write(row) }
  }

  /// Writes what is still in memory and closes the file.
  ///
  /// - Throws: `.writeFailed`; `.otherHeader` or `.incompleteLastRow` where another program has
  ///   changed the file since.
  public consuming func finish() throws(FileError) {
    try flush()
  }

  private mutating func flush() throws(FileError) {
    if isRegular { try append() } else { try file.write(buffer) }
    buffer.removeAll(keepingCapacity: true)
  }

  // The buffer has whole rows, so that the file has whole rows for the next writer.
  private func append() throws(FileError) {
    try file.locked { () throws(FileError) in
      try Self.check(file)
      let size = try file.size() ?? 0
      do throws(FileError) {
        try file.write(size == 0 ? Self.headerLine + buffer : buffer)
      } catch {
        // What came of them would be a row without its end.
        try? file.cut(to: size)
        throw error
      }
    }
  }

  // Whether rows may be added to a file that has some.
  private static func check(_ file: borrowing ByteFile) throws(FileError) {
    guard let size = try file.size(), size > 0 else { return }
    guard try hasHeader(file) else {
      throw FileError(
        .otherHeader, file: file.name, "expected a new file or one that begins with \(header).")
    }
    guard try file.read(1, at: size - 1) == [UInt8(ascii: "\n")] else {
      throw FileError(
        .incompleteLastRow, file: file.name, "expected a line end after the last row.")
    }
  }

  private static func hasHeader(_ file: borrowing ByteFile) throws(FileError) -> Bool {
    let beginning = try file.read(headerLine.count, at: 0)
    guard beginning.starts(with: header.utf8) else { return false }
    // Other tools may have changed the line ends.
    let rest = beginning.dropFirst(header.utf8.count)
    return rest.starts(with: lineEnd.utf8) || rest.first == UInt8(ascii: "\n")
  }

  // RFC 4180, 2.6 and 2.7.
  private static func quoted(_ field: String) -> String {
    let special: [UInt8] = [0x22, 0x2C, 0x0A, 0x0D]
    guard field.utf8.contains(where: special.contains) else { return field }
    let inner = field.unicodeScalars.reduce(into: "") { text, scalar in
      text.unicodeScalars.append(scalar)
      if scalar == "\"" { text.unicodeScalars.append(scalar) }
    }
    return "\"" + inner + "\""
  }
}

/// Tells one run from all others in a CSV file: `load-1795375000-5b0c1f6d2e9a4730`.
///
/// The program and the second in which it began can be read, and are sorted by; 64 random bits tell
/// apart runs that begin in the same second, on whichever machine.
public struct RunIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The identifier.
  public let description: String

  /// Makes the identifier of a run that begins.
  ///
  /// - Parameters:
  ///   - program: The name of the program.
  ///   - startedAt: The start in seconds since 1970.
  ///   - generator: What the random bits are drawn from; two runs must not get the same ones.
  public init(
    of program: String, startedAt: Int64, using generator: inout some RandomNumberGenerator
  ) {
    let digits = String(generator.next() as UInt64, radix: 16)
    let zeros = String(repeating: "0", count: 16 - digits.count)
    description = "\(program)-\(startedAt)-\(zeros)\(digits)"
  }
}
