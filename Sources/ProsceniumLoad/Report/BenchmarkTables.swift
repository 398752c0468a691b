// SPDX-License-Identifier: Apache-2.0

/// The results of the benchmarks as Markdown: a table for each suite.
struct BenchmarkTables {
  private let run: ReportRun
  private let figures: [BenchmarkFigures]

  init(_ run: ReportRun) {
    self.run = run
    figures = BenchmarkFigures.all(of: run)
  }

  /// The circumstances of the run, and the tables.
  var text: String {
    let tables = suites.map { suite in
      let table = table(of: suite)
      let rule = ["---"] + table.head.dropFirst().map { _ in "--:" }
      let lines = [table.head, rule] + table.rows
      return "### \(suite)\n\n" + lines.map { line($0) }.joined(separator: "\n")
    }
    return ([circumstances] + tables).joined(separator: "\n\n") + "\n"
  }

  /// The suites, in the order of the file.
  var suites: [String] {
    figures.map(\.suite).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// The contests of a suite, in the order of the file.
  func figures(of suite: String) -> [BenchmarkFigures] { figures.filter { $0.suite == suite } }

  private var circumstances: String {
    let started = run.circumstances["started_at"].flatMap { Int64($0) } ?? 0
    let machine = run.circumstances["machine"] ?? "an unknown machine"
    let commit = run.circumstances["commit"] ?? "unknown"
    return
      "\(NumberText.time(secondsSince1970: started)), \(machine), commit `\(commit)`, `make bench`."
  }

  /// A table's head, and a row for each of the runtime's figures.
  func table(of suite: String) -> (head: [String], rows: [[String]]) {
    let figures = figures(of: suite)
    let others = figures.flatMap(\.entries).flatMap { $0.ratios.keys }
    let rivals = Set(others).subtracting(["floor"]).sorted()
    let rows = figures.flatMap { row in
      row.entries.filter { $0.by != "floor" && !rivals.contains($0.by) }
        .map { cells(row, $0, rivals) }
    }
    let head = ["", "figure", "allocations", "of the floor", "growth"] + rivals.map { "× \($0)" }
    return (head, rows)
  }

  private func cells(
    _ row: BenchmarkFigures, _ entry: BenchmarkFigures.Entry, _ rivals: [String]
  ) -> [String] {
    let floor = entry.ratios["floor"].map { NumberText.fixed(100 * $0, places: 1) + " %" }
    return [
      Self.name(row, entry), entry.text,
      entry.allocations.map { NumberText.fixed($0, places: 2) } ?? "", floor ?? "",
      growth(row, entry) ?? "",
    ] + rivals.map { rival in entry.ratios[rival].map { NumberText.fixed($0, places: 2) } ?? "" }
  }

  /// The time of an operation, divided by that at the smallest size, and by the same of the floor.
  private func growth(_ row: BenchmarkFigures, _ entry: BenchmarkFigures.Entry) -> String? {
    let sizes = figures.filter { $0.suite == row.suite && $0.contest == row.contest }
    guard let sessions = row.sessions,
      let first = sizes.min(by: { $0.sessions ?? .max < $1.sessions ?? .max }),
      let least = first.sessions, least < sessions,
      let own = Self.quotient(row.time(by: entry.by), first.time(by: entry.by))
    else { return nil }
    let text = "×" + NumberText.fixed(own, places: 2)
    guard let floor = Self.quotient(row.time(by: "floor"), first.time(by: "floor")) else {
      return text
    }
    return text + ", floor ×" + NumberText.fixed(floor, places: 2)
  }

  private static func quotient(_ value: Double?, _ first: Double?) -> Double? {
    guard let value, let first, first > 0 else { return nil }
    return value / first
  }

  /// What was done, by whom unless it is the only one, and the size.
  private static func name(_ row: BenchmarkFigures, _ entry: BenchmarkFigures.Entry) -> String {
    let step = entry.by == "proscenium" ? "" : ": " + entry.by.replacing("_", with: " ")
    return row.contest.replacing("_", with: " ") + step + row.sizeText
  }

  private func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }
}

extension Report {
  /// Where the tables of the benchmarks begin and end in a Markdown file.
  static let tableMarks = (begin: "<!-- benchmarks -->", end: "<!-- end of benchmarks -->")

  /// Puts the tables of the last run of benchmarks into a Markdown file, between two marks that are
  /// there already: `<!-- benchmarks -->` and `<!-- end of benchmarks -->`.
  ///
  /// - Parameter text: What is in the file.
  /// - Returns: The text with new tables, or nil if it has no marks, or there are no benchmarks.
  public func replacingTables(in text: String) -> String? {
    guard let run = files.joined().last(where: { $0.suites.contains("bench") }),
      let begin = text.firstRange(of: Self.tableMarks.begin),
      let end = text[begin.upperBound...].firstRange(of: Self.tableMarks.end)
    else { return nil }
    return text[..<begin.upperBound] + "\n\n" + BenchmarkTables(run).text + "\n"
      + text[end.lowerBound...]
  }
}

/// The figures of one contest of the benchmarks at one size of its work.
struct BenchmarkFigures {
  /// Whose figure it is, and what it was.
  struct Entry {
    var by: String
    var value: Double
    var unit: String
    var allocations: Double?
    /// How many times better than the floor and than each rival.
    var ratios: [String: Double] = [:]

    /// The value with its unit.
    var text: String {
      switch unit {
      case "1/s": NumberText.rate(value)
      case "s": NumberText.duration(value)
      default: NumberText.bytes(Int(value))
      }
    }
  }

  /// The suite's name.
  let suite: String
  /// What is done.
  let contest: String
  /// The size of the work, such as `scenes` and `100000`.
  let size: [String: String]
  private(set) var entries: [Entry] = []

  /// Collects the figures of a run, in the order of the file.
  static func all(of run: ReportRun) -> [BenchmarkFigures] {
    var found: [BenchmarkFigures] = []
    for total in run.totals where total.figure.suite == "bench" {
      guard let value = ReportRun.median(total.values) else { continue }
      var labels = CSVRow.labels(of: total.figure.labels)
      let by = labels.removeValue(forKey: "by") ?? "unknown"
      let to = labels.removeValue(forKey: "to")
      let parts = total.figure.name.split(separator: ":", maxSplits: 1).map(String.init)
      let index = found.firstIndex {
        [$0.suite, $0.contest] == parts && $0.size == labels
      }
      if index == nil {
        found.append(
          BenchmarkFigures(suite: parts[0], contest: parts.last ?? "", size: labels))
      }
      found[index ?? found.count - 1].add(total.figure, value, by: by, to: to)
    }
    return found
  }

  private mutating func add(_ figure: ReportFigure, _ value: Double, by: String, to: String?) {
    let index = entries.firstIndex { $0.by == by }
    switch (figure.metric, index) {
    case ("operations_per_second", nil), ("time", nil), ("memory", nil):
      entries.append(Entry(by: by, value: value, unit: figure.unit))
    case ("allocations_per_operation", let index?): entries[index].allocations = value
    case ("ratio", let index?): entries[index].ratios[to ?? ""] = value
    default: break
    }
  }

  /// The number of sessions or scenes, if that is what the size is.
  var sessions: Int? { (size["sessions"] ?? size["scenes"]).flatMap { Int($0) } }

  /// The size for people, such as `, 8 callers, 10,000 scenes`.
  var sizeText: String {
    size.sorted { $0.key < $1.key }.map { label, value in
      ", \(Int(value).map { NumberText.grouped($0) } ?? value) \(label)"
    }.joined()
  }

  /// How long an operation takes, for comparisons with other sizes; nil for bytes.
  func time(by name: String) -> Double? {
    entries.first { $0.by == name }.flatMap { entry in
      switch entry.unit {
      case "1/s": 1 / entry.value
      case "s": entry.value
      default: nil
      }
    }
  }
}
