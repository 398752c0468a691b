// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLoad

@Suite struct LoadRateSearchTests {
  /// Searches where rates up to a limit are held.
  private func search(from first: Double, limit: Double) -> LoadRateSearch {
    var search = LoadRateSearch(from: first)
    while let rate = search.next { search.note(rate, isHeld: rate <= limit) }
    return search
  }

  @Test(arguments: [1.0, 20_000, 3_000_000], [3.0, 950, 20_000, 145_678, 2_000_000])
  func `the highest rate that is held is found, wherever the search begins`(
    first: Double, limit: Double
  ) throws {
    let search = search(from: first, limit: limit)
    let held = try #require(search.held), missed = try #require(search.missed)
    #expect(held <= limit && limit < missed)
    #expect(held >= limit / 1.05)
    #expect(search.trials <= LoadRateSearch.trialLimit)
  }

  @Test func `where nothing is held there is no answer, and where everything is the greatest`() {
    #expect(search(from: 1_000, limit: 0).held == nil)
    #expect(search(from: 1_000_000, limit: .infinity).held == LoadRateSearch.range.upperBound)
    #expect(search(from: -5, limit: .infinity).trials <= LoadRateSearch.trialLimit)
  }

  @Test func `a lucky trial above one that failed is not believed`() {
    var search = LoadRateSearch(from: 100)
    search.note(100, isHeld: true)
    search.note(200, isHeld: false)
    search.note(300, isHeld: true)
    #expect(search.held == 100 && search.missed == 200)
  }
}
