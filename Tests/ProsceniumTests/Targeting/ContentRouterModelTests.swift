// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
@testable import Proscenium
import Testing

/// The router against a scan of all sessions, with conditions and ranks that change between the
/// decisions.
///
/// The ordinary run makes some thousand decisions. `PROSCENIUM_ROUTING_CASES=1000000` makes a
/// million, in a release build with `-enable-testing`; `PROSCENIUM_ROUTING_SEED` chooses others.
@Suite struct ContentRouterModelTests {
  static let environment = ProcessInfo.processInfo.environment
  static let caseCount = environment["PROSCENIUM_ROUTING_CASES"].flatMap { Int($0) } ?? 20_000
  static let firstSeed = environment["PROSCENIUM_ROUTING_SEED"].flatMap { UInt64($0) } ?? 1
  static let casesPerSeed = 500

  @Test func `every decision is that of a scan`() throws {
    let seeds = Self.firstSeed..<Self.firstSeed + UInt64(max(Self.caseCount / Self.casesPerSeed, 1))
    print("routing: seeds \(seeds), \(Self.casesPerSeed) decisions each")
    for seed in seeds {
      var walk = RouterWalk(seed: seed)
      let difference = walk.run(decisions: Self.casesPerSeed)
      try #require(difference == nil, "seed \(seed): \(difference ?? "")")
    }
  }
}

/// A random sequence of changes and decisions, on a router and on its model.
struct RouterWalk {
  private var conditions: RandomConditions
  private var random: SplitMix64
  private let router: ContentRouter
  private var model: PlainRouter
  private var closed: [SessionHandle] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    conditions = RandomConditions(random: SplitMix64(seed: seed &* 31))
    let shardBits = Int.random(in: 0...3, using: &random)
    var rules = RoutingRules()
    if Int.random(in: 0..<10, using: &random) == 0 { rules.supportsMultipleScenes = false }
    if Int.random(in: 0..<3, using: &random) == 0 {
      rules.sessionQuota = Int.random(in: 1...40, using: &random)
    }
    let identifier: @Sendable (SessionHandle) -> SessionIdentifier = { handle in
      SessionIdentifier(high: 0, low: UInt64(handle.rawValue) &* 0x9E37_79B9_7F4A_7C15)
    }
    router = ContentRouter(rules: rules, shardBits: shardBits, identifier: identifier)
    model = PlainRouter(rules: rules, identifier: identifier)
    let size = [0, 1, 3, 20, 100].randomElement(using: &random) ?? 0
    for number in 0..<size + 1 {
      closed.append(SessionHandle(rawValue: UInt32(number * (seed % 2 == 0 ? 1 : 17))))
    }
    for _ in 0..<size { open() }
  }

  /// Returns a description of the first difference, or nil.
  mutating func run(decisions: Int) -> String? {
    for number in 0..<decisions {
      // Now and then so many that the router does not look at each any more.
      let isLong = Int.random(in: 0..<40, using: &random) == 0
      for _ in 0..<(isLong ? 2 * LazyLeader.attentionSpan : 1) { change() }
      if let difference = compare() { return "decision \(number): \(difference)" }
    }
    return nil
  }

  private mutating func change() {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: open()
    case 1: close()
    case 2, 3:
      guard let handle = anyOpen() else { return }
      let rank = rank()
      router.setRank(handle, rank)
      model.sessions[handle]?.rank = rank
    case 4, 5:
      guard let handle = anyOpen() else { return }
      let new = conditions.conditions()
      router.setConditions(handle, new)
      model.sessions[handle]?.conditions = new
    default: break
    }
  }

  private mutating func compare() -> String? {
    let target = Int.random(in: 0..<20, using: &random) == 0 ? nil : conditions.identifier()
    let role = UInt8(Int.random(in: 0..<5, using: &random) == 0 ? 1 : 0)
    let source = Int.random(in: 0..<3, using: &random) == 0 ? anyOpen() : nil
    do {
      let choice = try router.choose(target, role: role, source: source)
      let expected = model.choose(target, role: role, source: source)
      if choice != expected { return "\(target ?? "nil"): \(choice), not \(expected)" }
      if target != nil {
        let other = conditions.identifier()
        let choice = try router.choose(other, role: role)
        let expected = model.choose(other, role: role, source: nil)
        if choice != expected { return "\(other): \(choice), not \(expected)" }
      }
    } catch {
      return "\(error)"
    }
    let expected = model.chooseForActivation(target, role: role)
    let choice: PlainRouter.Activation
    do throws(RoutingRefusal) {
      choice = .choice(try router.chooseForActivation(target, role: role))
    } catch {
      choice = .refusal(SceneError(error).code)
    }
    return choice == expected ? nil : "\(target ?? "nil"): \(choice), not \(expected)"
  }

  private mutating func open() {
    guard let index = closed.indices.randomElement(using: &random) else { return }
    let handle = closed.remove(at: index)
    let session = PlainRouter.Session(
      role: Int.random(in: 0..<5, using: &random) == 0 ? 1 : 0, rank: rank(),
      conditions: Bool.random(using: &random)
        ? SceneActivationConditions() : conditions.conditions())
    router.insert(handle, role: session.role, session.rank, session.conditions)
    model.sessions[handle] = session
  }

  private mutating func close() {
    guard let handle = anyOpen() else { return }
    router.remove(handle)
    model.sessions[handle] = nil
    closed.append(handle)
  }

  /// Any open session, the same one for the same seed.
  private mutating func anyOpen() -> SessionHandle? {
    model.sessions.keys.sorted { $0.rawValue < $1.rawValue }.randomElement(using: &random)
  }

  private mutating func rank() -> SessionRank {
    SessionRank(
      SessionRank.State(rawValue: UInt8.random(in: 0..<4, using: &random)) ?? .archived,
      lastActivated: UInt64.random(in: 0..<6, using: &random))
  }
}
