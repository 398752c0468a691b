// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate
import Testing

@testable import Proscenium

/// What the router keeps beside what it needs.
@Suite struct ContentRouterMemoryTests {
  private let router = ContentRouter { SessionIdentifier(high: 0, low: UInt64($0.rawValue)) }

  private var retiredCount: Int { router.changes.withLock { $0.retired.count } }

  private func memberships(_ handle: SessionHandle) -> [Membership] {
    router.changes.withLock { changes in
      let place = router.standings.place(handle, changes.pages)
      return [changes.can[place], changes.prefers[place]]
    }
  }

  @Test func `what becomes of no use while sessions are entered is given back`() throws {
    for number in 0..<2_000 {
      router.insert(
        SessionHandle(rawValue: UInt32(number)), role: 0,
        SessionStanding(.background, lastActivated: 1),
        SceneActivationConditions(prefers: try .hasPrefix("document-\(number)")))
      try #require(retiredCount < 256)
    }
  }

  @Test(arguments: ["TRUEPREDICATE", "SELF == 'a'", "SELF IN {'a', 'b'}", "SELF != 'b'"])
  func `a predicate that stays keeps its place when conditions are set again`(
    _ format: String
  ) throws {
    let handle = SessionHandle(rawValue: 7)
    let standing = SessionStanding(.background, lastActivated: 1)
    let predicate = try ContentPredicate(format: format)
    router.insert(
      handle, role: 0, standing, SceneActivationConditions(can: predicate, prefers: predicate))
    let before = memberships(handle)
    router.setConditions(handle, SceneActivationConditions(can: predicate, prefers: predicate))
    #expect(memberships(handle) == before)
    #expect(try router.choose("a") == ContentRouter.Choice(.prefers, handle))
    // Now only one of the two stays.
    router.setConditions(handle, SceneActivationConditions(can: .false, prefers: predicate))
    #expect(memberships(handle) == [.none, before[1]])
    #expect(try router.choose("a") == ContentRouter.Choice(.prefers, handle))
    router.setConditions(handle, SceneActivationConditions(can: predicate))
    #expect(try router.choose("a") == ContentRouter.Choice(.can, handle))
    router.remove(handle)
    #expect(try router.choose("a") == ContentRouter.Choice(.new, nil))
  }
}
