// SPDX-License-Identifier: Apache-2.0

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
