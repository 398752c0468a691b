// SPDX-License-Identifier: Apache-2.0

extension NumberText {
  /// A moment in UTC, such as `2026-05-01 12:00:00`.
  ///
  /// - Parameter seconds: Seconds since 1970, of the years 0 to 9999; others are given as they are.
  /// - Returns: The text.
  public static func time(secondsSince1970 seconds: Int64) -> String {
    guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return "\(seconds) s" }
    let time = CivilTime(secondsSince1970: seconds)
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "\(digits(time.year, 4))-\(digits(time.month, 2))-\(digits(time.day, 2))"
      + " \(digits(time.hour, 2)):\(digits(time.minute, 2)):\(digits(time.second, 2))"
  }
}
