// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// When what was taken out is freed.
@Suite struct GracePeriodsTests {
  private static func advance(
    _ list: inout RetiredList<Int>, _ periods: borrowing GracePeriods
  ) -> [Int] {
    var free: [Int] = []
    list.advance(periods) { free.append($0) }
    return free
  }

  @Test func `without readers everything is free after two turns`() {
    let periods = GracePeriods()
    var list = RetiredList<Int>()
    list.append(1)
    list.append(2)
    #expect(list.count == 2)
    #expect(Self.advance(&list, periods) == [])
    list.append(3)
    #expect(Self.advance(&list, periods) == [1, 2])
    #expect(list.count == 1)
    #expect(Self.advance(&list, periods) == [3])
    #expect(list.count == 0)
  }

  @Test func `a reader keeps what it could have seen, and its leaving frees it`() {
    let periods = GracePeriods()
    var list = RetiredList<Int>()
    for _ in 0..<4 {
      let visit = periods.enter()
      list.append(1)
      for _ in 0..<5 { #expect(Self.advance(&list, periods) == []) }
      periods.leave(visit)
      #expect(Self.advance(&list, periods) + Self.advance(&list, periods) == [1])
    }
  }

  @Test func `readers that follow one another do not keep anything forever`() {
    let periods = GracePeriods()
    var list = RetiredList<Int>()
    var visit = periods.enter()
    list.append(1)
    var free: [Int] = []
    for _ in 0..<4 {
      let next = periods.enter()
      periods.leave(visit)
      visit = next
      free += Self.advance(&list, periods)
    }
    periods.leave(visit)
    #expect(free == [1])
  }

  @Test func `two lists may share their periods`() {
    let periods = GracePeriods()
    var lists = [RetiredList<Int>(), RetiredList<Int>()]
    let visit = periods.enter()
    lists[0].append(1)
    for _ in 0..<4 {
      #expect(Self.advance(&lists[1], periods) == [])
      #expect(Self.advance(&lists[0], periods) == [])
    }
    periods.leave(visit)
    let free = (0..<4).flatMap { _ in
      Self.advance(&lists[1], periods) + Self.advance(&lists[0], periods)
    }
    #expect(free == [1])
  }

  @Test func `what is handed over at the end is everything`() {
    let periods = GracePeriods()
    var list = RetiredList<Int>()
    list.append(1)
    list.advance(periods) { _ in }
    list.append(2)
    var free: [Int] = []
    list.removeAll { free.append($0) }
    #expect(free.sorted() == [1, 2])
    #expect(list.count == 0)
  }

  @Test func `whoever comes and goes, nothing is freed under a reader that could have seen it`()
    throws
  {
    for seed in UInt64(1)...20 {
      var random = SplitMix64(seed: seed)
      let periods = GracePeriods()
      var list = RetiredList<Int>()
      var visits: [Int: GracePeriods.Visit] = [:]
      // For each element the readers that were there when it was taken out.
      var witnesses: [Int: Set<Int>] = [:]
      for step in 0..<400 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: visits[step] = periods.enter()
        case 1:
          guard let reader = visits.keys.sorted().randomElement(using: &random) else { continue }
          if let visit = visits.removeValue(forKey: reader) { periods.leave(visit) }
        case 2:
          list.append(step)
          witnesses[step] = Set(visits.keys)
        default:
          for element in Self.advance(&list, periods) {
            let seenBy = try #require(witnesses[element])
            witnesses[element] = nil
            #expect(seenBy.isDisjoint(with: visits.keys), "seed \(seed), step \(step)")
          }
        }
      }
      for visit in visits.values { periods.leave(visit) }
      let rest = Self.advance(&list, periods) + Self.advance(&list, periods)
      #expect(Set(rest) == Set(witnesses.keys))
    }
  }
}
