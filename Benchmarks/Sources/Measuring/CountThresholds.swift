// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumLoad

/// What the runtime may allocate, and ask of the system, for each operation at most, by a file that
/// is committed.
///
/// Only counts have thresholds: they are the same on every machine, and times are not. A line is
/// `suite:contest,labels,metric,limit`.
struct CountThresholds {
  private static let metrics: Set<String> = [
    "allocations_per_operation", "allocated_per_operation", "system_calls_per_operation", "memory",
  ]

  private var limits: [String: Double] = [:]

  /// Reads the file.
  ///
  /// - Throws: If it cannot be read, or a line is none.
  init(path: String) throws {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    for (number, line) in lines.enumerated() {
      guard let comma = line.lastIndex(of: ","), let limit = Double(line[comma...].dropFirst())
      else {
        throw BenchmarkFailure("\(path):\(number + 1): expected name,labels,metric,limit")
      }
      limits[String(line[..<comma])] = limit
    }
  }

  /// Compares the counts among the rows of a contest with their limits.
  ///
  /// - Returns: A sentence for each that is above its limit, or has none.
  func complaints(_ rows: [CSVRow]) -> [String] {
    Self.counts(rows).compactMap { key, value in
      guard let limit = limits[key] else { return "\(key) has no threshold" }
      return value <= limit ? nil : "\(key) is \(value), and may be \(limit) at most"
    }
  }

  /// Lines for a file with the values of today, and some room: the allocator's counters lag by what
  /// its threads have not counted yet, and callers who meet at a lock allocate more.
  static func lines(_ rows: [CSVRow]) -> [String] {
    counts(rows).map { key, value in
      "\(key),\(limit(key, value))"
    }
  }

  /// A limit for a count; how many operations share a system call differs from run to run.
  private static func limit(_ key: String, _ value: Double) -> Double {
    if key.hasSuffix("system_calls_per_operation") {
      return (value * 2_000 + 10).rounded(.up) / 1_000
    }
    let isCount = key.hasSuffix("allocations_per_operation")
    return isCount ? (value * 11.5 + 2).rounded(.up) / 10 : (value * 1.2 + 50).rounded()
  }

  private static func counts(_ rows: [CSVRow]) -> [(String, Double)] {
    rows.compactMap { row in
      guard metrics.contains(row.metric), row.labels["by"] != "floor",
        let value = Double(row.value.description)
      else { return nil }
      let labels = row.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return ("\(row.name),\(labels.joined(separator: ";")),\(row.metric)", value)
    }
  }
}
