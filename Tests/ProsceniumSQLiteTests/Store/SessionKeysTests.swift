// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing
import Testing

@testable import ProsceniumSQLite

/// Which keys are at hand.
@Suite struct SessionKeysTests {
  private static func entry(_ keys: SessionKeys) -> SessionKeys.Entry {
    var generator = SystemRandomness()
    return SessionKeys.Entry(seal: SessionSeal(.random(using: &generator), keys.salt))
  }

  @Test func `the keys of as many sessions as it is for stay at hand`() {
    let keys = SessionKeys(capacity: 1_600)
    // Fewer, since sessions do not spread evenly over its parts.
    var sessions = (1...1_200).map { SessionIdentifier.test($0) }
    for session in sessions { keys.settle(session, Self.entry(keys), wasPending: false) }
    var random = SplitMix64(seed: 1)
    for _ in 0..<5 {
      sessions.shuffle(using: &random)
      #expect(sessions.filter { keys.entry(of: $0) == nil }.isEmpty)
    }
  }

  @Test func `of more sessions those that were not used for long go first`() {
    let keys = SessionKeys(capacity: 160)
    let used = SessionIdentifier.test(1)
    keys.settle(used, Self.entry(keys), wasPending: false)
    for number in 2...10_000 {
      keys.settle(.test(number), Self.entry(keys), wasPending: false)
      #expect(keys.entry(of: used) != nil)
    }
    let kept = (2...10_000).filter { keys.entry(of: .test($0)) != nil }
    #expect(kept.count <= 160)
    #expect(kept.allSatisfy { $0 > 9_000 })
  }

  @Test func `a session that was forgotten and comes again is found`() {
    let keys = SessionKeys(capacity: 16)
    for _ in 0..<100 {
      let entry = Self.entry(keys)
      keys.settle(.test(1), entry, wasPending: false)
      #expect(keys.entry(of: .test(1))?.seal === entry.seal)
      keys.forget(.test(1))
      #expect(keys.entry(of: .test(1)) == nil)
    }
  }
}
