// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad

/// The figures of a contest as rows of the CSV file that all programs share.
struct ContestResults {
  private let contest: Contest
  private let suite: String
  private let contenders: [Contender]
  /// The readings of each contender, one a round.
  private let readings: [[Reading]]

  init(_ contest: Contest, _ suite: String, _ contenders: [Contender], _ readings: [[Reading]]) {
    self.contest = contest
    self.suite = suite
    self.contenders = contenders
    self.readings = readings
  }

  /// Adds the rows to the file that the scale names.
  func write() throws {
    guard let results = Scale.current.results else { return }
    var writer = try CSVWriter(appendingTo: results.path, run: results.run)
    try writer.write(rows)
    try writer.finish()
  }

  /// The figures in a line for each contender, for people.
  var text: String {
    var table = TextTable([.left, .right, .right, .right], indent: 2)
    for (contender, readings) in zip(contenders, readings) {
      guard let value = Self.middle(readings.map(\.value)) else { continue }
      let allocations =
        contender.role == .runtime ? Self.middle(readings.compactMap(\.allocations)) : nil
      let ratio = contender.role == .runtime ? nil : ratio(of: runtime, to: contender)
      table.add(
        contender.name, contest.value.text(value),
        allocations.map { NumberText.fixed($0, places: 2) + " allocations" } ?? "",
        ratio.map { "×" + NumberText.fixed($0, places: 3) } ?? "")
    }
    let size = contest.labels.sorted { $0.key < $1.key }.map { ", \($0.value) \($0.key)" }
    return "\(suite): \(contest.name)\(size.joined())\n\(table)\n"
  }

  /// The first contender that is the runtime.
  private var runtime: Contender? { contenders.first { $0.role == .runtime } }

  /// How many times better the one is than the other, in the middle of the rounds.
  private func ratio(of one: Contender?, to other: Contender) -> Double? {
    guard let one, let left = contenders.firstIndex(where: { $0.name == one.name }),
      let right = contenders.firstIndex(where: { $0.name == other.name })
    else { return nil }
    return Self.middle(
      zip(readings[left], readings[right]).map { contest.value.ratio($0.value, $1.value) })
  }

  private var rows: [CSVRow] {
    var rows: [CSVRow] = []
    for (contender, readings) in zip(contenders, readings) {
      let metric = contest.value.metric
      let values = readings.map(\.value)
      rows += row(contender, metric, Self.middle(values), contest.value.unit)
      if let least = values.min(), let most = values.max(), let middle = Self.middle(values) {
        rows += row(contender, "spread", (most - least) / middle)
      }
      guard contender.role == .runtime else { continue }
      rows += row(contender, "processors", Self.middle(readings.compactMap(\.processors)))
      rows += row(
        contender, "allocations_per_operation", Self.middle(readings.compactMap(\.allocations)))
      rows += row(
        contender, "allocated_per_operation", Self.middle(readings.compactMap(\.allocated)), .bytes)
      rows += row(
        contender, "system_calls_per_operation", Self.middle(readings.compactMap(\.systemCalls)))
      for other in contenders where other.role != .runtime {
        rows += row(contender, "ratio", ratio(of: contender, to: other), .one, to: other)
      }
    }
    return rows
  }

  private func row(
    _ contender: Contender, _ metric: String, _ value: Double?, _ unit: CSVRow.Unit = .one,
    to other: Contender? = nil
  ) -> [CSVRow] {
    guard let number = value.flatMap({ CSVNumber($0) }) else { return [] }
    var labels = contest.labels
    labels["by"] = contender.name
    labels["to"] = other?.name
    return [
      CSVRow(
        .bench, name: "\(suite):\(contest.name)", labels: labels, metric: metric, value: number,
        unit: unit)
    ]
  }

  /// The value in the middle, or nil if there is none.
  private static func middle(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}

extension Contest.Value {
  fileprivate var metric: String {
    switch self {
    case .rate: "operations_per_second"
    case .seconds: "time"
    case .bytes: "memory"
    }
  }

  fileprivate func text(_ value: Double) -> String {
    switch self {
    case .rate: NumberText.rate(value)
    case .seconds: NumberText.duration(value)
    case .bytes: NumberText.bytes(Int(value))
    }
  }

  fileprivate var unit: CSVRow.Unit {
    switch self {
    case .rate: .perSecond
    case .seconds: .seconds
    case .bytes: .bytes
    }
  }

  /// How many times better the first value is.
  fileprivate func ratio(_ own: Double, _ other: Double) -> Double {
    self == .rate ? own / other : other / own
  }
}
