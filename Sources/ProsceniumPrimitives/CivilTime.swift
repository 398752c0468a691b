// SPDX-License-Identifier: Apache-2.0

/// Converts between seconds since 1970 and a date of the Gregorian calendar in UTC.
public struct CivilTime: Hashable, Sendable {
  /// The names of the months as access logs write them.
  public static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The year.
  public var year: Int
  /// The month, from 1.
  public var month: Int
  /// The day of the month, from 1.
  public var day: Int
  /// The hour, from 0.
  public var hour: Int
  /// The minute, from 0.
  public var minute: Int
  /// The second; 60 is a leap second, which counts as the next minute's first.
  public var second: Int

  /// Creates a time of its parts.
  public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The seconds since 1970-01-01 00:00:00 UTC, leap seconds not counted.
  public var secondsSince1970: Int64 {
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
  public static func days(inMonth month: Int, of year: Int) -> Int {
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
  public init(secondsSince1970 seconds: Int64) {
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

  /// The time in the form of ISO 8601 without its zone, such as `2026-05-01T12:00:00`.
  ///
  /// - Parameter separator: What is between the day and the hour.
  /// - Returns: The text.
  public func text(separator: String = "T") -> String {
    func digits(_ number: Int, _ count: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "\(digits(year, 4))-\(digits(month))-\(digits(day))"
      + "\(separator)\(digits(hour)):\(digits(minute)):\(digits(second))"
  }
}
