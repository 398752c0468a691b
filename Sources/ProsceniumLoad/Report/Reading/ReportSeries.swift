// SPDX-License-Identifier: Apache-2.0

import ProsceniumCharts

/// Values over time, in bounded memory: where there are too many, neighbours become one.
struct ReportSeries: Sendable, Hashable {
  private struct Group: Sendable, Hashable {
    var time: Double
    var sum: Double
    var most: Double
    var count: Int
  }

  private let limit: Int
  private var groups: [Group] = []
  /// How many values become one.
  private var size = 1

  /// Creates a series.
  ///
  /// - Parameter limit: How many points are kept: an even number.
  init(limit: Int) {
    self.limit = limit
  }

  /// Adds a value.
  mutating func add(_ value: Double, at time: Double) {
    if let last = groups.last, last.count < size {
      groups[groups.count - 1] = Group(
        time: time, sum: last.sum + value, most: max(last.most, value), count: last.count + 1)
      return
    }
    if groups.count == limit { merge() }
    groups.append(Group(time: time, sum: value, most: value, count: 1))
  }

  private mutating func merge() {
    for index in 0..<limit / 2 {
      let (first, second) = (groups[2 * index], groups[2 * index + 1])
      groups[index] = Group(
        time: second.time, sum: first.sum + second.sum, most: max(first.most, second.most),
        count: first.count + second.count)
    }
    groups.removeSubrange(limit / 2..<limit)
    size *= 2
  }

  /// The means in the order of time.
  var means: [Chart.Point] {
    groups.map { Chart.Point($0.time, $0.sum / Double($0.count)) }.sorted { $0.x < $1.x }
  }

  /// The greatest values in the order of time: of latencies a mean would hide what is bad.
  var greatest: [Chart.Point] {
    groups.map { Chart.Point($0.time, $0.most) }.sorted { $0.x < $1.x }
  }
}
