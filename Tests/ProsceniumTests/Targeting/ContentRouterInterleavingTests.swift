// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate
import Testing

@testable import Proscenium

/// Changes in the middle of a decision, and decisions in the middle of a change.
///
/// Where two sessions stand equal the router asks for their identifiers, and the test comes in
/// between there: the same interleaving every time.
@Suite struct ContentRouterInterleavingTests {
  /// Something to be done once, when the router next asks for an identifier.
  private final class Interruption: Sendable {
    private let action = Guarded<(@Sendable () -> Void)?>(nil)

    func set(_ action: @escaping @Sendable () -> Void) {
      self.action.withLock { $0 = action }
    }

    func happen() {
      let action = action.withLock { action in
        defer { action = nil }
        return action
      }
      action?()
    }
  }

  private let interruption = Interruption()
  private let router: ContentRouter

  private let active = SessionStanding(.active, lastActivated: 9)
  private let inactive = SessionStanding(.inactive, lastActivated: 1)
  private let background = SessionStanding(.background, lastActivated: 1)

  init() {
    router = ContentRouter { [interruption] handle in
      interruption.happen()
      return SessionIdentifier(high: 0, low: UInt64(handle.rawValue))
    }
  }

  private func handle(_ number: UInt32) -> SessionHandle { SessionHandle(rawValue: number) }

  @Test func `who changes from one preference to another that holds is not missed in between`()
    throws
  {
    router.insert(
      handle(0), role: 0, active, SceneActivationConditions(prefers: .hasPrefix("abc")))
    for (number, text) in ["a", "ab"].enumerated() {
      router.insert(
        handle(UInt32(number) + 1), role: 0, background,
        SceneActivationConditions(prefers: try .hasPrefix(text)))
    }
    // Whole identifiers are looked up first, so that the new one comes too late.
    interruption.set { [router, handle] in
      router.setConditions(handle(0), SceneActivationConditions(prefers: .equals("abcd")))
    }
    #expect(try router.choose("abcd") == ContentRouter.Choice(.prefers, handle(0)))
    #expect(try router.choose("abc") == ContentRouter.Choice(.prefers, handle(1)))
  }

  @Test func `who changes from one text to all identifiers is not missed in between`() throws {
    router.insert(
      handle(0), role: 0, active, SceneActivationConditions(can: .hasPrefix("abc")))
    for (number, text) in ["a", "ab"].enumerated() {
      router.insert(
        handle(UInt32(number) + 1), role: 0, background,
        SceneActivationConditions(can: try .hasPrefix(text)))
    }
    interruption.set { [router, handle] in
      router.setConditions(handle(0), SceneActivationConditions())
    }
    #expect(try router.choose("abcd") == ContentRouter.Choice(.can, handle(0)))
    #expect(try router.choose("abc") == ContentRouter.Choice(.can, handle(0)))
  }

  @Test func `while the best session goes, no worse one than the next is chosen`() throws {
    let choice = Guarded<ContentRouter.Choice?>(nil)
    router.insert(handle(0), role: 0, active)
    router.insert(handle(1), role: 0, inactive)
    router.insert(handle(2), role: 0, inactive)
    router.insert(handle(3), role: 0, background, SceneActivationConditions(can: .equals("a")))
    // Since somebody wants to know who is first, each change finds it out.
    #expect(try router.choose(nil) == ContentRouter.Choice(.recent, handle(0)))
    // The two that stand equal are compared for the place of the one that goes.
    interruption.set { [router] in
      let found = try? router.choose(nil)
      choice.withLock { $0 = found }
    }
    router.remove(handle(0))
    let candidates = [handle(0), handle(1)].map { ContentRouter.Choice(.recent, $0) }
    let found = try #require(choice.withLock { $0 })
    #expect(candidates.contains(found))
    #expect(try router.choose(nil) == ContentRouter.Choice(.recent, handle(1)))
  }

  @Test func `who can show everything no more is a candidate all the time`() throws {
    let choice = Guarded<ContentRouter.Choice?>(nil)
    router.insert(handle(0), role: 0, active)
    router.insert(handle(1), role: 0, active, SceneActivationConditions(can: .equals("a")))
    #expect(try router.choose(nil) == ContentRouter.Choice(.recent, handle(0)))
    // It is compared with the other one when it joins those that cannot show everything.
    interruption.set { [router] in
      let found = try? router.choose(nil)
      choice.withLock { $0 = found }
    }
    router.setConditions(handle(0), SceneActivationConditions(can: .equals("b")))
    #expect(choice.withLock { $0 } == ContentRouter.Choice(.recent, handle(0)))
  }
}
