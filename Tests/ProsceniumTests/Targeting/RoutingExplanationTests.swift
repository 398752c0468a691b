// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate
import Testing

@testable import Proscenium

@Suite struct RoutingExplanationTests {
  private typealias Explanation = RoutingExplanation<String>
  private typealias Session = Explanation.Session

  private static func session(
    _ name: String, _ rank: SessionRank.State = .archived, lastActivated: UInt64 = 0,
    role: UInt8 = 0, can: ContentPredicate = .true, prefers: ContentPredicate = .false
  ) -> Session {
    Session(
      name, role: role, SessionRank(rank, lastActivated: lastActivated),
      SceneActivationConditions(can: can, prefers: prefers))
  }

  // MARK: - Rules

  @Test func `the only session with multiple scenes not supported gets everything`() {
    let explanation = Explanation(
      of: "x", among: [Self.session("a", can: .false)],
      rules: RoutingRules(supportsMultipleScenes: false))
    #expect(explanation.rule == .single)
    #expect(explanation.session == "a")
    #expect(explanation.candidates.first?.match == nil)
  }

  @Test func `without an identifier the session that was active last is chosen`() {
    let explanation = Explanation(
      of: nil,
      among: [
        Self.session("a", lastActivated: 3, prefers: .true), Self.session("b", lastActivated: 4),
      ])
    #expect(explanation.rule == .recent)
    #expect(explanation.session == "b")
    #expect(explanation.candidateCount == 2)
  }

  @Test func `a session that prefers comes before those that can`() throws {
    let prefers = try ContentPredicate.any(of: [.equals("x"), .equals("y"), .hasPrefix("y")])
    let explanation = Explanation(
      of: "y",
      among: [Self.session("a", .active), Self.session("b", can: .false, prefers: prefers)])
    #expect(explanation.rule == .prefers)
    #expect(explanation.session == "b")
    let match = try #require(explanation.candidates.first?.match)
    #expect(match.condition == .prefers)
    #expect(match.predicate == prefers)
    #expect(match.part == .equals("y"))
  }

  @Test func `sessions that can are candidates if none prefers`() {
    let explanation = Explanation(
      of: "x",
      among: [
        Self.session("a", can: .equals("x")), Self.session("b", .active, can: .equals("y")),
        Self.session("c", .active, role: 1),
      ])
    #expect(explanation.rule == .can)
    #expect(explanation.candidates.map(\.session) == ["a"])
    #expect(explanation.candidates.first?.match?.condition == .can)
    #expect(explanation.candidates.first?.state == .unattached)
  }

  @Test(arguments: [(nil, RoutingRule.new), (3, .new), (2, .forced)])
  func `without a candidate the quota decides`(quota: Int?, rule: RoutingRule) {
    let explanation = Explanation(
      of: "x", among: [Self.session("a", can: .false), Self.session("b", role: 1)],
      rules: RoutingRules(sessionQuota: quota))
    #expect(explanation.rule == rule)
    #expect(explanation.session == (rule == .forced ? "a" : nil))
    #expect(explanation.candidateCount == (rule == .forced ? 1 : 0))
  }

  @Test(arguments: ["x", nil]) func `without a session of the role there is a new one`(
    identifier: String?
  ) {
    let explanation = Explanation(
      of: identifier, among: [Self.session("a", role: 1)],
      rules: RoutingRules(sessionQuota: 1))
    #expect(explanation.rule == .new)
    #expect(explanation.decidedBy == nil)
  }

  // MARK: - What decided

  @Test(
    arguments: [
      ([session("a")], RoutingTieBreak.onlyCandidate, "a"),
      ([session("a", .active), session("s")], .source, "s"),
      ([session("a", lastActivated: 9), session("b", .background)], .state, "b"),
      ([session("a", .inactive), session("b", .active)], .state, "b"),
      ([session("a", lastActivated: 8), session("b", lastActivated: 9)], .activation, "b"),
      ([session("b"), session("a")], .identifier, "a"),
    ])
  private func `the first difference in the order of R-RT-6 decides`(
    sessions: [Session], tieBreak: RoutingTieBreak, chosen: String
  ) {
    for limit in [0, 1, 2, 10] {
      let explanation = Explanation(of: "x", among: sessions, source: "s", limit: limit)
      #expect(explanation.decidedBy == tieBreak)
      #expect(explanation.candidates.count == min(max(limit, 1), sessions.count))
      #expect(explanation.candidateCount == sessions.count)
      #expect(explanation.session == chosen)
    }
  }

  // MARK: - Bounds

  @Test func `of many candidates the best are kept in their order`() {
    let sessions = (0..<1_000).map { Self.session("\($0)", lastActivated: UInt64($0 * 7 % 1_000)) }
    let explanation = Explanation(of: "x", among: sessions, limit: 5)
    #expect(explanation.candidateCount == 1_000)
    #expect(explanation.candidates.map(\.lastActivated) == [999, 998, 997, 996, 995])
    #expect(explanation.description.hasSuffix("\n  … and 995 more"))
  }

  @Test func `the text stays within its lines whatever the names are`() {
    let explanation = Explanation(
      of: "a\nb\u{1B}[2J", among: [Self.session("x\ny"), Self.session("")])
    #expect(explanation.description.split(separator: "\n").count == 3)
    #expect(!explanation.description.unicodeScalars.contains("\u{1B}"))
  }

  @Test func `the text names decision, candidates and the part that matched`() throws {
    let prefers = try ContentPredicate.any(of: [.equals("news/1"), .equals("news/2")])
    let explanation = Explanation(
      of: "news/2",
      among: [
        Self.session("b", lastActivated: 9, prefers: .hasPrefix("news/")),
        Self.session("a", .background, lastActivated: 4, prefers: prefers),
      ])
    #expect(
      explanation.description == """
        "news/2": prefers, session a. 2 sessions prefer it. Its state decided: background before \
        archived.
          1. a (background, last activated 4) prefers SELF == "news/1" OR SELF == "news/2"
             matched SELF == "news/2"
          2. b (archived, last activated 9) prefers SELF BEGINSWITH "news/"
        """)
  }

  // MARK: - Against the router

  @Test(arguments: UInt64(0)..<300) func `it agrees with the router`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let texts = ["a", "ab", "b", ""]
    func predicate() throws -> ContentPredicate {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: .true
      case 1: .false
      case 2: try .hasPrefix(texts.randomElement(using: &generator) ?? "")
      default: try .equals(texts.randomElement(using: &generator) ?? "")
      }
    }
    let rules = RoutingRules(
      supportsMultipleScenes: Int.random(in: 0..<8, using: &generator) > 0,
      sessionQuota: Bool.random(using: &generator) ? nil : Int.random(in: 0...6, using: &generator))
    let router = ContentRouter(rules: rules) { .init(high: 0, low: UInt64($0.rawValue)) }
    var sessions: [RoutingExplanation<SessionIdentifier>.Session] = []
    for number in 0..<UInt32.random(in: 0...7, using: &generator) {
      let role = UInt8.random(in: 0...1, using: &generator)
      let rank = SessionRank(
        SessionRank.State(rawValue: .random(in: 0...3, using: &generator)) ?? .active,
        lastActivated: .random(in: 0...2, using: &generator))
      let conditions = SceneActivationConditions(can: try predicate(), prefers: try predicate())
      router.insert(SessionHandle(rawValue: number), role: role, rank, conditions)
      sessions.append(
        .init(.init(high: 0, low: UInt64(number)), role: role, rank, conditions))
    }
    sessions.shuffle(using: &generator)
    for target in texts + [nil, "c"] {
      let source =
        Bool.random(using: &generator) ? nil : UInt32.random(in: 0...3, using: &generator)
      let choice = try router.choose(target, source: source.map(SessionHandle.init))
      let explanation = RoutingExplanation(
        of: target, among: sessions, rules: rules,
        source: source.map { .init(high: 0, low: UInt64($0)) })
      #expect(explanation.rule == choice.rule, "seed \(seed)")
      #expect(
        explanation.session?.low == choice.session.map { UInt64($0.rawValue) }, "seed \(seed)")
    }
  }
}
