// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumLoad

@Suite struct CivilTimeTests {
  @Test func `days run through four centuries without a gap`() {
    // From 1 January 1900, a Monday of a year that is no leap year.
    var day: Int64 = -25_567
    var wrong: [CivilTime] = []
    for year in 1900..<2300 {
      for month in 1...12 {
        for dayOfMonth in 1...CivilTime.days(inMonth: month, of: year) {
          let time = CivilTime(
            year: year, month: month, day: dayOfMonth, hour: 1, minute: 2, second: 3)
          let seconds = day * 86_400 + 3_723
          let isRight =
            time.secondsSince1970 == seconds && CivilTime(secondsSince1970: seconds) == time
          if !isRight { wrong.append(time) }
          day += 1
        }
      }
    }
    #expect(wrong == [])
    #expect(day == 120_530)
  }

  @Test(
    arguments: [
      (2, 1900, 28), (2, 2000, 29), (2, 2024, 29), (2, 2025, 28), (1, 1, 31), (4, 1, 30),
      (0, 1, 0), (13, 1, 0),
    ])
  func `months have their length`(_ month: Int, _ year: Int, _ days: Int) {
    #expect(CivilTime.days(inMonth: month, of: year) == days)
  }
}
