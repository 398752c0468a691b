// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
public import ProsceniumPredicate

/// Sessions with conditions, and identifiers whose sessions are known: all made before the clock
/// starts.
public struct RoutingWorkload: Sendable {
  // Numbers of keys, far from those of the sessions' own.
  private static let firstPrefix = 1 << 40
  private static let firstMiss = 2 << 40

  let keys: RoutingKeys
  /// The conditions of each session; the index is the session's handle.
  private(set) var conditions: [SceneActivationConditions]
  /// Where each session stands; no two stand alike, so that every decision has one right result.
  let standings: [SessionStanding]
  /// Which rule decides about every lookup.
  private(set) var rule = RoutingRule.prefers
  /// The identifiers to route, in the order of their use, each in memory of its own.
  public private(set) var lookups: [String] = []
  /// The handle that each of ``lookups`` leads to.
  public private(set) var expected: [UInt32] = []

  /// The number of sessions.
  public var sessions: Int { conditions.count }

  /// Creates sessions with default conditions, and no lookup.
  private init(sessions: Int, _ random: inout SplitMix64) {
    keys = RoutingKeys(seed: random.next())
    conditions = Array(repeating: SceneActivationConditions(), count: sessions)
    standings = Self.shuffled(sessions, using: &random).enumerated().map { index, place in
      let percent = index * 61 % 100
      let rank: SessionStanding.Rank =
        percent < 2 ? .active : percent < 3 ? .inactive : percent < 20 ? .background : .archived
      return SessionStanding(rank, lastActivated: UInt64(place) + 1)
    }
  }

  // MARK: - Kinds

  /// Creates sessions whose conditions follow a mix, each of which is looked up equally often.
  ///
  /// - Parameters:
  ///   - mix: The kinds of conditions.
  ///   - sessions: How many sessions there are: 1 or more.
  ///   - lookups: How many lookups there are at least; there are never fewer than sessions.
  ///   - seed: Fixes texts and order.
  /// - Throws: What making a predicate throws; nothing is expected.
  public init(
    _ mix: RoutingMix, sessions: Int, lookups: Int, seed: UInt64
  ) throws(PredicateFormatError) {
    var random = SplitMix64(seed: seed)
    self.init(sessions: sessions, &random)
    if mix == .exactCan { rule = .can }
    var literals: [String] = []
    var owners: [String: Int] = [:]
    var prefixes = 0
    for index in 0..<sessions {
      let pattern = mix.pattern(ofSession: index)
      var literal = keys[index]
      if pattern == .prefix, mix.prefixCount < .max {
        literal = keys[Self.firstPrefix + prefixes % mix.prefixCount]
        prefixes += 1
        let owner = owners[literal] ?? index
        owners[literal] = standings[index] < standings[owner] ? index : owner
      }
      literals.append(literal)
      let predicate = try pattern.predicate(literal)
      conditions[index] =
        rule == .can
        ? SceneActivationConditions(can: predicate) : SceneActivationConditions(prefers: predicate)
    }
    while self.lookups.count < max(lookups, sessions) {
      for index in Self.shuffled(sessions, using: &random) {
        let pattern = mix.pattern(ofSession: index)
        let owner = pattern == .prefix ? owners[literals[index]] ?? index : index
        append(pattern.identifier(literals[index], keys[index]), owner)
      }
    }
  }

  /// Creates sessions with default conditions, except that one of them prefers an identifier.
  ///
  /// - Parameters:
  ///   - isMatch: Whether that identifier is looked up, or others that no session prefers.
  ///   - sessions: How many sessions there are: 1 or more.
  ///   - lookups: How many lookups there are.
  ///   - seed: Fixes texts and order.
  /// - Throws: What making a predicate throws; nothing is expected.
  public init(
    defaultsWithMatch isMatch: Bool, sessions: Int, lookups: Int, seed: UInt64
  ) throws(PredicateFormatError) {
    var random = SplitMix64(seed: seed)
    self.init(sessions: sessions, &random)
    let special = random.number(below: sessions)
    conditions[special].prefers = try RoutingPattern.exact.predicate(keys[special])
    rule = isMatch ? .prefers : .can
    let best = standings.indices.min { standings[$0] < standings[$1] } ?? 0
    for index in 0..<lookups {
      let key = keys[isMatch ? special : Self.firstMiss + index]
      append(RoutingPattern.exact.identifier(key, ""), isMatch ? special : best)
    }
  }

  private mutating func append(_ identifier: String, _ owner: Int) {
    lookups.append(identifier)
    expected.append(UInt32(owner))
  }

  /// The numbers below a count in random order.
  static func shuffled(_ count: Int, using random: inout SplitMix64) -> [Int] {
    var numbers = Array(0..<count)
    for index in numbers.indices.reversed() {
      numbers.swapAt(index, random.number(below: index + 1))
    }
    return numbers
  }

  // MARK: - Use

  /// Makes a router with all sessions.
  func makeRouter() -> ContentRouter {
    let router = ContentRouter { Self.identifier($0.rawValue) }
    for index in conditions.indices {
      router.insert(
        SessionHandle(rawValue: UInt32(index)), role: 0, standings[index], conditions[index])
    }
    return router
  }

  /// The identifier of a session, by its handle.
  static func identifier(_ handle: UInt32) -> SessionIdentifier {
    SessionIdentifier(high: 0, low: UInt64(handle))
  }

  /// Tells whether a router's choice for a lookup is the right one.
  @inline(__always)
  func isRight(_ choice: ContentRouter.Choice, _ lookup: Int) -> Bool {
    choice.session?.rawValue == expected[lookup] && choice.rule == rule
  }
}
