// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import ProsceniumPrimitives
@testable import Proscenium
import Testing

/// Events for the sessions of one group.
@Suite struct GroupRoutingTests {
  private static func stage() -> Stage {
    Stage(store: InMemorySessionStore())
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `every decision in a group is that of a scan of it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var conditions = RandomConditions(random: SplitMix64(seed: seed &* 31))
    var rules = RoutingRules()
    if random.number(below: 3) == 0 { rules.sessionQuota = 1 + random.number(below: 40) }
    if random.number(below: 10) == 0 { rules.supportsMultipleScenes = false }
    let identifier: @Sendable (SessionHandle) -> SessionIdentifier = { handle in
      SessionIdentifier(high: 0, low: UInt64(handle.rawValue) &* 0x9E37_79B9_7F4A_7C15)
    }
    let router = ContentRouter(rules: rules, identifier: identifier)
    var groups = [PlainRouter](
      repeating: PlainRouter(rules: rules, identifier: identifier), count: 3)
    for number in 0..<60 {
      let handle = SessionHandle(rawValue: UInt32(number))
      let rank = SessionRank(
        SessionRank.State(rawValue: UInt8(random.number(below: 4))) ?? .archived,
        lastActivated: UInt64(random.number(below: 6)))
      let session = PlainRouter.Session(
        role: random.number(below: 5) == 0 ? 1 : 0, rank: rank,
        conditions: random.number(below: 2) == 0 ? .init() : conditions.conditions())
      router.insert(handle, role: session.role, rank, session.conditions)
      groups[number % 3].sessions[handle] = session
    }
    // The quota is for all sessions.
    let quota = rules.sessionQuota.map { _ in 0 }
    for index in groups.indices { groups[index].rules.sessionQuota = quota }
    for _ in 0..<200 {
      let group = groups[random.number(below: 3)]
      let target = random.number(below: 20) == 0 ? nil : conditions.identifier()
      let source =
        random.number(below: 3) == 0
        ? SessionHandle(rawValue: UInt32(random.number(below: 60))) : nil
      // One that has just ended is still named.
      let members = Set(group.sessions.keys).union([SessionHandle(rawValue: 1_000)])
      let choice = try router.choose(target, among: members, role: 0, source: source)
      #expect(choice == group.choose(target, role: 0, source: source), "\(target ?? "nil")")
    }
  }

  @Test func `an event in a group goes to the group's session, and else to a new one in it`()
    async throws
  {
    let stage = Self.stage()
    try await stage.play { application in
      let left = try await application.host.newSession(group: "left")
      let right = try await application.host.newSession(group: "right")
      let event = SceneEvent.url(OpenURLContext("doc/1"))
      #expect(try await application.deliver(event, in: "left").id == left.id)
      #expect(try await application.deliver(event, in: "right").id == right.id)
      let made = try await application.deliver(event, in: "other")
      #expect(made.group == "other" && made.id != left.id && made.id != right.id)
      try await application.updateSession(left.id) {
        $0.activationConditions = SceneActivationConditions(can: .false, prefers: .false)
      }
      let second = try await application.deliver(event, in: "left")
      #expect(second.group == "left" && second.id != left.id)
      try await application.requestSceneSessionDestruction(second.id)
      let third = try await application.deliver(event, in: "left")
      #expect(third.group == "left" && third.id != second.id)
    }
    #expect(stage.application.core.leftovers == 0)
  }
}
