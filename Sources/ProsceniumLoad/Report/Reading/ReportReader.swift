// SPDX-License-Identifier: Apache-2.0

/// Reads the runs of a CSV file, in memory that does not depend on how many rows it has.
struct ReportReader: ~Copyable {
  /// How many different figures a file may have.
  static let figureLimit = 100_000
  /// How many points are kept of each of the first series, and of how many.
  private static let points = 1_024, manyPointsLimit = 2_000
  /// How many points are kept of each further one.
  private static let fewPoints = 64

  /// Where the values of a figure go.
  private enum Place {
    case total(run: Int, index: Int)
    case series(run: Int, index: Int)
    case circumstance(run: Int, metric: String)
  }

  private let path: String
  private var lines: CSVLines
  private var runs: [ReportRun] = []
  private var numbers: [String: Int] = [:]
  private var places: [[UInt8]: Place] = [:]
  private var seriesCount = 0
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var key: [UInt8] = []

  private init(_ path: String) throws(InputError) {
    self.path = path
    lines = try CSVLines(path: path)
  }

  /// Reads a file.
  ///
  /// - Parameter path: The path of the file; `-` is standard input.
  /// - Returns: The runs in the order in which they begin, at least one.
  /// - Throws: `InputError`, if it cannot be read; `CSVFileError`, if it is not as the schema says:
  ///   it is refused as a whole.
  static func read(_ path: String) throws -> [ReportRun] {
    var reader = try ReportReader(path)
    try reader.readHeader()
    while try reader.readRow() {}
    guard !reader.runs.isEmpty else {
      throw CSVFileError(.noRows, path: path, message: "expected rows after the header.")
    }
    return reader.runs
  }

  private mutating func readHeader() throws {
    guard try lines.read(&bytes, &ends) else {
      throw CSVFileError(.noRows, path: path, message: "expected a header and rows, got nothing.")
    }
    let found = ends.indices.map { text($0) }
    guard found == CSVRow.columns else {
      throw CSVFileError(
        .otherHeader, path: path, line: 1,
        message: "expected \(CSVRow.columns.joined(separator: ",")).")
    }
  }

  private mutating func readRow() throws -> Bool {
    guard try lines.read(&bytes, &ends) else { return false }
    guard ends.count == CSVRow.columns.count else {
      throw wrong("expected \(CSVRow.columns.count) fields, got \(ends.count).")
    }
    let version = text(0)
    guard version == String(CSVRow.schemaVersion) else {
      throw CSVFileError(
        .otherSchema, path: path, line: lines.line, column: CSVRow.columns[0],
        message: "expected \(CSVRow.schemaVersion), got '\(version.prefix(20))'.")
    }
    let value = try number(8)
    let time = isEmpty(5) ? nil : try number(5)
    switch try place() {
    case .total(let run, let index): runs[run].add(value, toTotal: index)
    case .series(let run, let index): runs[run].add(value, at: time ?? 0, toSeries: index)
    case .circumstance(let run, let metric):
      runs[run].circumstances[metric] = CSVRow.labels(of: text(4))[metric] ?? text(8)
    }
    return true
  }

  /// Where the value of the row goes; a new place if it is the first of its kind.
  private mutating func place() throws -> Place {
    key.removeAll(keepingCapacity: true)
    for field in [1, 2, 3, 4, 6, 7, 9] {
      key += bytes[start(field)..<ends[field]]
      key.append(0)
    }
    key.append(isEmpty(5) ? 0 : 1)
    if let place = places[key] { return place }
    guard places.count < Self.figureLimit else {
      throw CSVFileError(
        .tooLarge, path: path, line: lines.line,
        message: "expected at most \(NumberText.grouped(Self.figureLimit)) different figures.")
    }
    let place = try newPlace()
    places[key] = place
    return place
  }

  private mutating func newPlace() throws -> Place {
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
    if figure.suite == "meta" { return .circumstance(run: run, metric: figure.metric) }
    if isEmpty(5) { return .total(run: run, index: runs[run].addTotal(figure)) }
    seriesCount += 1
    let limit = seriesCount <= Self.manyPointsLimit ? Self.points : Self.fewPoints
    return .series(run: run, index: runs[run].addSeries(figure, limit: limit))
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

  private func wrong(_ message: String, column: Int? = nil) -> CSVFileError {
    CSVFileError(
      .invalidRow, path: path, line: lines.line, column: column.map { CSVRow.columns[$0] },
      message: message)
  }
}
