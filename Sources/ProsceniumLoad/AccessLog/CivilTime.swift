// SPDX-License-Identifier: Apache-2.0

/// Converts between seconds since 1970 and a date of the Gregorian calendar in UTC.
struct CivilTime: Hashable, Sendable {
  /// The names of the months as access logs write them.
  static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  var year: Int
  /// The month, from 1.
  var month: Int
  /// The day of the month, from 1.
  var day: Int
  var hour: Int
  var minute: Int
  /// The second; 60 is a leap second, which counts as the next minute's first.
  var second: Int

  /// The seconds since 1970-01-01 00:00:00 UTC, leap seconds not counted.
  var secondsSince1970: Int64 {
    // Years begin in March here, so that the leap day is the last of its year.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Int64(days * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  /// The number of days in a month of a year; 0 where there is no such month.
  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 1...12: 31
    default: 0
    }
  }
}

extension CivilTime {
  /// Finds the date and the time of day of so many seconds since 1970.
  init(secondsSince1970 seconds: Int64) {
    let secondOfDay = Int(((seconds % 86_400) + 86_400) % 86_400)
    let days = Int((seconds - Int64(secondOfDay)) / 86_400) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = secondOfDay / 3_600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
  }
}

/// Tells how much time has passed in a log, by the stamps of its lines.
///
/// Log time goes on to the largest stamp, and never back: servers write a line when its response is
/// done. Where a stamp leaps by more than a week, on or back, it goes on from there and no time has
/// passed: a clock was wrong, for a line or for many, or another log begins.
struct LogTime: Sendable {
  /// The largest step from one stamp to the next that is time, in seconds.
  static let largestStep: UInt64 = 7 * 86_400

  /// The seconds that have passed since the first stamp.
  private(set) var seconds: Int64 = 0
  private var latest: Int64?

  /// Takes the stamp of the next line, in seconds since any moment.
  mutating func advance(to stamp: Int64) {
    let (step, isOverflowing) = stamp.subtractingReportingOverflow(latest ?? stamp)
    if isOverflowing || step.magnitude > Self.largestStep {
      latest = stamp
    } else {
      seconds += max(step, 0)
      latest = max(latest ?? stamp, stamp)
    }
  }
}
