// SPDX-License-Identifier: Apache-2.0

/// A point in time by the calendar, in the years 0 to 9999 of UTC.
struct CivilTime: CustomStringConvertible {
  private let year: Int
  private let month: Int
  private let day: Int
  private let secondOfDay: Int
  private let nanosecond: Int

  /// From the first of March of the year 0 on.
  private static let daysBeforeReferenceDate = 730_791

  /// Makes the point in time that is so many seconds after the beginning of 2001, or nil if it is
  /// before March of the year 0 or after 9999.
  init?(secondsSinceReferenceDate seconds: Double) {
    guard seconds >= Double(-86_400 * Self.daysBeforeReferenceDate), seconds < 252_423_993_600
    else { return nil }
    var whole = Int(seconds.rounded(.down))
    var nanosecond = Int(((seconds - Double(whole)) * 1e9).rounded())
    if nanosecond == 1_000_000_000 {
      whole += 1
      nanosecond = 0
    }
    // In years that begin in March a leap day is the last one.
    let days = Int((Double(whole) / 86_400).rounded(.down))
    secondOfDay = whole - days * 86_400
    let day = days + Self.daysBeforeReferenceDate
    let era = day / 146_097
    let dayOfEra = day % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    self.nanosecond = nanosecond
  }

  /// The form of ISO 8601, with a fraction if there is one.
  var description: String {
    let date = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
    let (hour, rest) = secondOfDay.quotientAndRemainder(dividingBy: 3_600)
    let (minute, second) = rest.quotientAndRemainder(dividingBy: 60)
    let time = "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))"
    var fraction = Self.padded(nanosecond, 9)
    while fraction.last == "0" { fraction.removeLast() }
    return date + "T" + time + (fraction.isEmpty ? "" : "." + fraction) + "Z"
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
