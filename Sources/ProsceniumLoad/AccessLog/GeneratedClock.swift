// SPDX-License-Identifier: Apache-2.0

/// Spreads the lines of a generated log over its days: many in the evening, few at night.
struct GeneratedClock: Sendable {
  // How busy each hour of a day is.
  private static let hours: [Int] = [
    14, 9, 6, 5, 5, 7, 12, 20, 30, 38, 42, 44, 45, 46, 47, 46, 45, 46, 50, 56, 60, 54, 40, 25,
  ]

  private let start: Int64
  private let days: Int
  private let lines: Int
  // The weight of all hours before this one; the last entry is the whole day's.
  private let before: [Int]

  init(start: Int64, days: Int, lines: Int) {
    self.start = start
    self.days = days
    self.lines = lines
    before = Self.hours.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  /// The time of a line in seconds since 1970; it never falls from one line to the next.
  func time(ofLine index: Int) -> Int64 {
    let day = before[24] * 3_600
    // A billion lines times 3,650 days times the weight of a day is more than 64 bits hold.
    let progress = index.multipliedFullWidth(by: days * day)
    let position = lines.dividingFullWidth(progress).quotient
    let inDay = position % day
    let hour = (0..<24).last { before[$0] * 3_600 <= inDay } ?? 0
    let second = (inDay - before[hour] * 3_600) / Self.hours[hour]
    return start + Int64(position / day * 86_400 + hour * 3_600 + second)
  }
}
