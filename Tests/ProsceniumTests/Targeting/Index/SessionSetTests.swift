// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

@Suite struct SessionSetTests {
  /// The smaller identifier belongs to the larger handle.
  private static let identifier: SessionSet.Identifiers = {
    SessionIdentifier(high: 0, low: 9_000 - UInt64($0.rawValue))
  }

  @Test func `the best member is the first in the order, whatever comes, moves and goes`() throws {
    for seed in UInt64(1)...6 {
      var random = SplitMix64(seed: seed)
      var set = SessionSet()
      var members: [UInt32: Ranked] = [:]
      for step in 0..<600 {
        let key = UInt64.random(in: 0..<8, using: &random)
        let place = members.keys.sorted().randomElement(using: &random)
        switch (Int.random(in: 0..<6, using: &random), place) {
        case (0...2, _), (_, nil):
          let handle = UInt32.random(in: 0..<1_000, using: &random)
          if members.values.contains(where: { $0.handle == handle }) { continue }
          let member = Ranked(handle: handle, key: key)
          let place = set.insert(member, Self.identifier)
          try #require(members[place] == nil)
          members[place] = member
        case (3, let place?):
          set.remove(place)
          members[place] = nil
        case (4, let place?):
          let member = Ranked(handle: members[place]?.handle ?? 0, key: key)
          members[place] = member
          set.update(place, member)
        case (_, let place?):
          let handle = UInt32.random(in: 1_000..<2_000, using: &random)
          let member = Ranked(handle: handle, key: key)
          members[place] = member
          set.update(place, member)
        }
        let best = members.values.max { left, right in
          left.key != right.key ? left.key < right.key : left.handle < right.handle
        }
        try #require(set.best == best, "seed \(seed), step \(step)")
        #expect(set.isEmpty == members.isEmpty)
      }
    }
  }

  @Test func `a place that was given back is used again`() {
    var set = SessionSet()
    func insert(_ handle: UInt32) -> UInt32 {
      set.insert(Ranked(handle: handle, key: 1), Self.identifier)
    }
    #expect((0..<40).map(insert) == Array(0..<40))
    set.remove(7)
    set.remove(20)
    #expect(Set([insert(50), insert(51)]) == [7, 20])
    #expect(insert(52) == 40)
    #expect(set.best?.handle == 52)
  }
}
