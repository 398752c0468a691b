// SPDX-License-Identifier: Apache-2.0

import Proscenium
public import ProsceniumPredicate
import ProsceniumPrimitives

/// Sessions with conditions, and identifiers whose sessions are known: all made before the clock
/// starts.
public struct RoutingWorkload: Sendable {
  // A number of keys, far from those of the sessions' own.
  private static let firstPrefix = 1 << 40

  let keys: RoutingKeys
  /// The conditions of each session; the index is the session's handle.
  private(set) var conditions: [SceneActivationConditions]
  /// The rank of each session; no two are alike, so that every decision has one right result.
  let ranks: [SessionRank]
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
    ranks = Self.shuffled(sessions, using: &random).enumerated().map { index, place in
      let percent = index * 61 % 100
      let rank: SessionRank.State =
        percent < 2 ? .active : percent < 3 ? .inactive : percent < 20 ? .background : .archived
      return SessionRank(rank, lastActivated: UInt64(place) + 1)
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
        owners[literal] = ranks[index] < ranks[owner] ? index : owner
      }
      literals.append(literal)
      conditions[index].prefers = try pattern.predicate(literal)
    }
    while self.lookups.count < max(lookups, sessions) {
      for index in Self.shuffled(sessions, using: &random) {
        let pattern = mix.pattern(ofSession: index)
        let owner = pattern == .prefix ? owners[literals[index]] ?? index : index
        append(pattern.identifier(literals[index], keys[index]), owner)
      }
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
        SessionHandle(rawValue: UInt32(index)), role: 0, ranks[index], conditions[index])
    }
    return router
  }

  /// The identifier of a session, by its handle.
  static func identifier(_ handle: UInt32) -> SessionIdentifier {
    SessionIdentifier(high: 0, low: UInt64(handle))
  }

  /// Tells whether a router's choice for a lookup is the right one.
  @inline(__always)
  func isRight(_ choice: RoutingChoice, _ lookup: Int) -> Bool {
    choice.session?.rawValue == expected[lookup] && choice.rule == .prefers
  }
}

/// The kinds of conditions that the sessions of a measured router have.
public enum RoutingMix: String, CaseIterable, Sendable {
  /// Every session prefers one identifier.
  case exact
  /// 95 % prefer one identifier, 5 % the identifiers under one of 1,000 prefixes.
  case exactAndPrefix
  /// 70 % prefer one identifier, 20 % a prefix, 5 % a suffix, 5 % a LIKE pattern.
  case mixed

  /// How many keys the prefixes have: that many sessions at most prefer different ones.
  var prefixCount: Int { self == .exactAndPrefix ? 1_000 : .max }

  /// The kind of a session's predicate.
  ///
  /// Every hundred sessions that follow one another have exactly the shares of the mix.
  func pattern(ofSession index: Int) -> RoutingPattern {
    let percent = index * 37 % 100
    switch self {
    case .exact: return .exact
    case .exactAndPrefix: return percent < 95 ? .exact : .prefix
    case .mixed:
      return percent < 70 ? .exact : percent < 90 ? .prefix : percent < 95 ? .suffix : .like
    }
  }
}

/// A kind of predicate on web addresses, and the addresses that it holds for.
///
/// A predicate is made from one key, and holds for the addresses of that key only; the predicates
/// of other kinds hold for none of them.
enum RoutingPattern: CaseIterable, Sendable {
  case exact, prefix, suffix, like

  private static let site = "https://clowntown.example.com"

  /// The predicate of a key.
  func predicate(_ key: String) throws(PredicateFormatError) -> ContentPredicate {
    switch self {
    case .exact: try .equals(identifier(key, ""))
    case .prefix: try .hasPrefix("\(Self.site)/u/\(key)/")
    case .suffix: try ContentPredicate(format: "SELF ENDSWITH %@", "/\(key).html")
    case .like:
      try ContentPredicate(format: "SELF LIKE %@", "https://*.example.com/a/\(key)/*")
    }
  }

  /// An address that the predicate of a key holds for.
  ///
  /// - Parameters:
  ///   - key: The predicate's key.
  ///   - end: Text at the end, by which the addresses under one prefix differ.
  /// - Returns: A text in storage of its own, of just its length; an exact one has 45 bytes.
  func identifier(_ key: String, _ end: String) -> String {
    let text =
      switch self {
      case .exact: "\(Self.site)/tab/\(key)"
      case .prefix: "\(Self.site)/u/\(key)/\(end)"
      case .suffix: "\(Self.site)/p/\(key).html"
      case .like: "\(Self.site)/a/\(key)/1"
      }
    return String(decoding: Array(text.utf8), as: UTF8.self)
  }
}

/// Distinct short texts, such as the changing part of an address: one for each number, by a seed.
struct RoutingKeys: Hashable, Sendable {
  private static let bits: UInt64 = 55
  private static let digits = Array("0123456789abcdefghijkmnpqrstuvwx".utf8)

  private let offset: UInt64

  /// Creates the texts of a seed.
  init(seed: UInt64) {
    offset = seed &* 0x9E37_79B9_7F4A_7C15
  }

  /// The 11 letters and digits of a number below 2⁵⁵.
  subscript(number: Int) -> String {
    let mask: UInt64 = 1 << Self.bits - 1
    // Each step can be undone within 55 bits, so that two numbers never get one text.
    var mixed = (UInt64(truncatingIfNeeded: number) &+ offset) & mask
    for factor in [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB] as [UInt64] {
      mixed ^= mixed >> 28
      mixed = mixed &* factor & mask
    }
    mixed ^= mixed >> 28
    return unsafe String(unsafeUninitializedCapacity: 11) { buffer in
      for index in 0..<11 {
        unsafe buffer[index] = Self.digits[Int(mixed >> UInt64(index * 5) & 31)]
      }
      return 11
    }
  }
}

/// The decisions of a router about the identifiers of a workload, each compared with the session
/// that is known to be right.
public struct RoutingTrial: Sendable {
  private let router: ContentRouter
  private let workload: RoutingWorkload

  /// Makes a router with the sessions of a workload.
  public init(_ workload: RoutingWorkload) {
    self.init(workload, router: workload.makeRouter())
  }

  init(_ workload: RoutingWorkload, router: ContentRouter) {
    self.workload = workload
    self.router = router
  }

  /// Decides about lookups one after another.
  ///
  /// - Parameter lookups: Positions among the workload's lookups.
  /// - Returns: How many decisions were wrong.
  /// - Throws: What the router throws; nothing is expected.
  public func countWrong(_ lookups: Range<Int>) throws -> Int {
    var wrong = 0
    for index in lookups {
      let choice = try router.choose(workload.lookups[index])
      if !workload.isRight(choice, index) { wrong += 1 }
    }
    return wrong
  }

  /// Changes the conditions of sessions to what they are already, again and again, as a writer does
  /// while others decide.
  ///
  /// - Parameter sessions: The positions of the sessions.
  public func change(_ sessions: Range<Int>) {
    for index in sessions {
      router.setConditions(
        SessionHandle(rawValue: UInt32(index)), workload.conditions[index])
    }
  }
}
