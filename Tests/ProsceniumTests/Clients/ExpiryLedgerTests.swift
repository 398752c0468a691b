// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// When sessions are looked at, against a list that is searched.
@Suite struct ExpiryLedgerTests {
  private struct Known {
    var look: ExpiryLedger.Look
    var due: Duration
  }

  private static func handle(_ number: Int) -> SessionHandle {
    SessionHandle(rawValue: UInt32(number))
  }

  @Test(arguments: 1...20)
  func `each session is looked at when it is due, and once`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var ledger = ExpiryLedger()
    var known: [Int: Known] = [:]
    var (now, held) = (Duration.zero, Duration.zero)
    var ends: [Duration] = []
    for _ in 0..<2_000 {
      let number = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        let look = Bool.random(using: &random) ? ExpiryLedger.Look.use : .end
        let due = now + .milliseconds(Int.random(in: 0..<500, using: &random))
        ledger.set(Self.handle(number), look, at: due)
        known[number] = Known(look: look, due: due)
      case 6:
        ledger.remove(Self.handle(number))
        known[number] = nil
      case 7:
        held = max(held, now + .milliseconds(50))
        ledger.holdEnds(until: now + .milliseconds(50))
      default: now += .milliseconds(Int.random(in: 0..<100, using: &random))
      }
      let next = ledger.nextDue()
      if let first = known.values.map(\.due).min() { #expect(next ?? .zero >= first) }
      #expect((next == nil) == known.isEmpty)
      while let (session, look) = ledger.takeDue(at: now) {
        let found = known.removeValue(forKey: Int(session.rawValue))
        #expect(found?.look == look)
        #expect(found.map { $0.due <= now } == true)
        if look == .end {
          #expect(held <= now)
          ends.append(now)
        }
      }
      // Nothing that is due is left, but for ends that are held up.
      #expect(!known.values.contains { $0.look == .use && $0.due <= now })
      #expect(ledger.count == known.count)
      #expect(ledger.entryCount <= 150)
    }
    #expect(!ends.isEmpty)
    for (place, time) in ends.enumerated() {
      let second = ends[place...].prefix { $0 < time + .seconds(1) }
      #expect(second.count <= 1_010)
    }
  }

  @Test func `a thousand sessions end in a second`() {
    var ledger = ExpiryLedger()
    for number in 0..<3_000 { ledger.set(Self.handle(number), .end, at: .zero) }
    var counts: [Int] = []
    for second in 0..<3 {
      var count = 0
      for step in 0..<1_000 {
        let now = Duration.seconds(second) + .milliseconds(step)
        while ledger.takeDue(at: now) != nil { count += 1 }
      }
      counts.append(count)
    }
    #expect(counts.reduce(0, +) == 3_000)
    #expect(counts.allSatisfy { (980...1_015).contains($0) }, "\(counts)")
  }
}
