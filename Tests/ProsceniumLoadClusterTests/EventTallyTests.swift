// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumLoadCluster

  /// What a session counts of its events, and what comes of all counts.
  @Suite struct EventTallyTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a tally knows what came, whatever comes twice, late or never`(seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      var tally = EventTally()
      var came: Set<Int> = []
      var (double, late) = (0, 0)
      for _ in 0..<100 {
        let highest = came.max() ?? 0
        let number = max(1, highest + 3 - random.number(below: 8))
        if came.contains(number) { double += 1 } else if number < highest { late += 1 }
        came.insert(number)
        tally.take(number)
        // As it goes with its session to another node.
        tally = try #require(EventTally(tally.text))
      }
      #expect(tally.given == came.count && tally.double == double && tally.late == late)
      for number in 1...tally.last + 2 { #expect(tally.has(number) == came.contains(number)) }
    }

    @Test func `what is missing is counted beyond what is remembered`() throws {
      var tally = EventTally()
      tally.take(1)
      tally.take(1_000_000)
      tally.take(2_000_000)
      #expect(tally.given == 3 && tally.missing.count == 1_000)
      #expect(tally.text.utf8.count < 8_000)
    }

    @Test(arguments: ["", "1 2 3", "read"])
    func `a text that is no tally is none`(text: String) {
      #expect(EventTally(text) == nil)
    }

    @Test func `an event is read as it was written, and nothing else is one`() throws {
      let event = NumberedEvent(number: 0x0102_0304_0506, time: .max - 7)
      let read = try #require(NumberedEvent(event.message))
      #expect(read.number == event.number && read.time == event.time)
      #expect(event.message.count == 256)
      #expect(NumberedEvent("?") == nil)
    }

    @Test func `what was sent and neither came nor was told to be lost is missing`() {
      var tally = EventTally()
      for number in [1, 2, 5] { tally.take(number) }
      var totals = EventTotals()
      totals.add(sent: 7, tally, lost: 1)
      totals.add(sent: 4, nil, lost: 0)
      totals.add(durable: [1, 2, 3], unknown: 1, tally)
      #expect(totals.sent == 11 && totals.given == 3 && totals.lost == 1 && totals.missing == 3)
      #expect(totals.silent == 1)
      #expect(totals.durable == 3 && totals.durableMissing == 1 && totals.unknown == 1)
    }
  }
#endif
