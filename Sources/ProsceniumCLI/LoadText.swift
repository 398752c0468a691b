// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumLoad

/// What `proscenium load` prints around its results.
enum LoadText {
  /// The scenarios, one a line, name first.
  static var scenarios: String {
    var table = TextTable([.left, .left])
    for scenario in LoadScenario.named { table.add(scenario.name, scenario.summary) }
    return table.description
  }

  /// What is run, and where.
  static func beginning(_ scenario: LoadScenario, machine: String) -> String {
    var parts = ["\(NumberText.grouped(scenario.sessions)) sessions"]
    if let connected = scenario.connected {
      parts.append("\(NumberText.grouped(connected)) connected at most")
    }
    switch scenario.pace {
    case .open(let pace): parts.append(NumberText.rate(pace.lastRate))
    case .closed(let users): parts.append("\(NumberText.grouped(users)) users")
    }
    parts.append("skew \(scenario.skew)")
    parts.append("events \(scenario.mix)")
    parts.append("seed \(scenario.seed)")
    return "\(machine)\n\(scenario.name): \(parts.joined(separator: ", "))\n\n"
  }

  /// Shows how far a test has come.
  static func show(_ progress: LoadTest.Progress, of scenario: LoadScenario, _ line: ProgressLine) {
    func show(_ what: String, _ done: Int, _ all: Int) {
      line.show(Double(done) / Double(max(all, 1))) { _ in
        ["\(what) \(NumberText.grouped(done)) of \(NumberText.grouped(all)) sessions"]
      }
    }
    switch progress {
    case .step(.opening(let done, let all)): show("opening", done, all)
    case .step(.verifying(let done, let all)): show("verifying", done, all)
    case .step(.warmingUp): line.show(nil) { _ in ["warming up"] }
    case .step(.measuringFloor): line.show(nil) { _ in ["measuring the floor"] }
    case .step(.running): line.show(nil) { _ in ["running"] }
    case .sample(let sample):
      guard case .seconds(let seconds) = scenario.end else {
        return line.show(nil) { _ in figures(sample) }
      }
      line.show(sample.time / seconds, left: max(seconds - sample.time, 0)) { _ in figures(sample) }
    }
  }

  private static func figures(_ sample: LoadSample) -> [String] {
    let all = sample.latencies.all
    return [
      NumberText.rate(Double(sample.sent) / sample.seconds), "p50 \(all.text(50))",
      "p99 \(all.text(99))", "\(NumberText.grouped(sample.connected)) connected",
    ]
      + (sample.memory.map { [NumberText.bytes($0.resident)] } ?? [])
      + ["\(NumberText.rate(Double(sample.faults) / sample.seconds)) faults"]
  }

  /// The command that repeats a run, with its seed.
  static func again(_ arguments: [String], seed: UInt64) -> String {
    let words = arguments.dropFirst().map { quoted($0) }
    let hasSeed = words.contains { $0 == "--seed" || $0.hasPrefix("--seed=") }
    return (["proscenium"] + words + (hasSeed ? [] : ["--seed", "\(seed)"]))
      .joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let plain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_=.,:/+%@".contains($0) }
    return plain && !word.isEmpty
      ? word
      : "'"
        + word.split(
          separator: "'", omittingEmptySubsequences: false
        ).joined(separator: "'\\''") + "'"
  }
}

/// The results of a load test as one JSON object, for programs.
struct LoadJSON: Encodable {
  /// One value, as in the CSV.
  private struct Figure: Encodable {
    let metric: String
    let labels: [String: String]?
    let time: Double?
    let percentile: Double?
    let value: Double
    let unit: String

    init(_ row: CSVRow) {
      metric = row.metric
      labels = row.labels.isEmpty ? nil : row.labels
      time = row.time.flatMap { Double($0.description) }
      percentile = row.percentile.flatMap { Double($0.description) }
      // A number that was written can be read.
      value = Double(row.value.description) ?? 0
      unit = row.unit.rawValue
    }
  }

  private let scenario: String
  private let seed: UInt64
  private let command: String
  private let complete: Bool
  private let verdict: String
  private let violations: [String]
  private let thresholdsCrossed: [String]
  private let figures: [Figure]

  init(_ summary: LoadSummary, command: String, _ thresholds: [LoadThreshold]) {
    scenario = summary.scenario.name
    seed = summary.scenario.seed
    self.command = command
    complete = !summary.isInterrupted
    verdict = summary.verdict(thresholds)
    violations = summary.violations
    thresholdsCrossed = summary.crossed(thresholds)
    figures = summary.rows.map { Figure($0) }
  }

  /// The object in one line.
  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
