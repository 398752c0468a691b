// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumLoad

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
