// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// Reads the runs of a CSV file, in memory that does not depend on how many rows it has.
struct ReportReader: ~Copyable {
  /// How many different figures a file may have.
  static let figureLimit = 100_000
  /// How many points are kept of each of the first series, and of how many.
  private static let points = 1_024, manyPointsLimit = 2_000
  /// How many points are kept of each further one.
  private static let fewPoints = 64

  private let path: String
  private var lines: CSVLines
  private var runs: [ReportRun] = []
  private var numbers: [String: Int] = [:]
  private var figureCount = 0, seriesCount = 0
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  private init(_ path: String) throws(FileError) {
    self.path = path
    lines = try CSVLines(path: path)
  }

  /// Reads a file.
  ///
  /// - Parameter path: The path of the file; `-` is standard input.
  /// - Returns: The runs in the order in which they begin, at least one.
  /// - Throws: `FileError`, if it cannot be read; `FileError`, if it is not as the schema says:
  ///   it is refused as a whole.
  static func read(_ path: String) throws -> [ReportRun] {
    var reader = try ReportReader(path)
    try reader.readHeader()
    while try reader.readRow() {}
    guard !reader.runs.isEmpty else {
      throw FileError(.noRows, file: path, "expected rows after the header.")
    }
    return reader.runs
  }

  private mutating func readHeader() throws {
    guard try lines.read(&bytes, &ends) else {
      throw FileError(.noRows, file: path, "expected a header and rows, got nothing.")
    }
    let found = ends.indices.map { text($0) }
    guard found == CSVRow.columns else {
      throw FileError(
        .otherHeader, file: path, line: 1,
        "expected \(CSVRow.columns.joined(separator: ",")).")
    }
  }

  private mutating func readRow() throws -> Bool {
    guard try lines.read(&bytes, &ends) else { return false }
    guard ends.count == CSVRow.columns.count else {
      throw wrong("expected \(CSVRow.columns.count) fields, got \(ends.count).")
    }
    let version = text(0)
    guard version == String(CSVRow.schemaVersion) else {
      throw FileError(
        .otherSchema, file: path, line: lines.line, place: CSVRow.columns[0],
        "expected \(CSVRow.schemaVersion), got '\(version.prefix(20))'.")
    }
    let value = try number(8)
    let time = isEmpty(5) ? nil : try number(5)
    let id = text(1)
    let run = numbers[id] ?? runs.count
    if run == runs.count {
      numbers[id] = run
      runs.append(ReportRun(id: id, path: path))
    }
    let figure = ReportFigure(
      suite: text(2), name: text(3), labels: text(4), metric: text(6),
      percentile: isEmpty(7) ? nil : try number(7), unit: text(9))
    guard !figure.metric.isEmpty else { throw wrong("expected a metric.", column: 6) }
    let isNew: Bool
    if figure.suite == "meta" {
      let circumstance = CSVRow.labels(of: figure.labels)[figure.metric] ?? text(8)
      isNew = runs[run].circumstances.updateValue(circumstance, forKey: figure.metric) == nil
    } else {
      let points = seriesCount < Self.manyPointsLimit ? Self.points : Self.fewPoints
      isNew = runs[run].add(figure, value, at: time, points: points)
      if isNew, time != nil { seriesCount += 1 }
    }
    figureCount += isNew ? 1 : 0
    guard figureCount <= Self.figureLimit else {
      throw FileError(
        .tooLarge, file: path, line: lines.line,
        "expected at most \(NumberText.grouped(Self.figureLimit)) different figures.")
    }
    return true
  }

  // MARK: - Fields

  private func start(_ field: Int) -> Int { field == 0 ? 0 : ends[field - 1] }

  private func isEmpty(_ field: Int) -> Bool { start(field) == ends[field] }

  private func text(_ field: Int) -> String {
    String(decoding: bytes[start(field)..<ends[field]], as: UTF8.self)
  }

  private func number(_ field: Int) throws -> Double {
    if let number = Double(text(field)), number.isFinite { return number }
    throw wrong("expected a number, got '\(text(field).prefix(40))'.", column: field)
  }

  private func wrong(_ message: String, column: Int? = nil) -> FileError {
    FileError(
      .invalidRow, file: path, line: lines.line, place: column.map { CSVRow.columns[$0] },
      message)
  }
}

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
        // Two quotes are one in the text.
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
