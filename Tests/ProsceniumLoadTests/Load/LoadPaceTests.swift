// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLoad

@Suite struct LoadPaceTests {
  @Test func `a steady rate is due in even steps`() {
    let pace = LoadPace(rate: 100)
    #expect(pace.due(at: 0) == 0)
    #expect(pace.due(at: 2.5) == 250)
    #expect(pace.time(of: 0) == 0)
    #expect(pace.time(of: 250) == 2.5)
  }

  @Test func `a ramp is due by its area`() {
    let pace = LoadPace(
      first: 0, [.init(seconds: 10, rate: 100), .init(seconds: 5, rate: 100)])
    #expect(pace.due(at: 5) == 125)
    #expect(pace.due(at: 10) == 500)
    #expect(pace.due(at: 12) == 700)
    // It stays as it is after the last stage.
    #expect(pace.due(at: 20) == 1_500)
    #expect(pace.lastRate == 100)
  }

  @Test func `every event has the moment in which it is due`() {
    let pace = LoadPace(
      first: 50,
      [
        .init(seconds: 3, rate: 200), .init(seconds: 2, rate: 0), .init(seconds: 1, rate: 0),
        .init(seconds: 4, rate: 10),
      ])
    for number in stride(from: 0.0, to: 700, by: 0.5) {
      let time = pace.time(of: number)
      #expect(abs(pace.due(at: time) - number) < 1e-6, "event \(number) at \(time)")
    }
    // Nothing is due while the rate is 0.
    #expect(pace.due(at: 6) == pace.due(at: 5))
  }

  @Test func `what never comes is due at no time`() {
    let pace = LoadPace(first: 10, [.init(seconds: 1, rate: 0)])
    #expect(pace.due(at: 1_000) == 5)
    #expect(pace.time(of: 6) == .infinity)
    #expect(LoadPace(rate: 0).time(of: 1) == .infinity)
  }
}
