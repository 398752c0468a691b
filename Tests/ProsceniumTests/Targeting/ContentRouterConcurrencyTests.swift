// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate
import Synchronization
import Testing

@testable import Proscenium

/// Decisions on several threads while one changes the sessions.
///
/// What a decision comes to depends on what it overlaps with, but some sessions never change, and
/// some change only between conditions that both hold: those have to be found every time.
@Suite struct ContentRouterConcurrencyTests {
  @Test func `decisions find what does not change while everything else does`() async {
    let stage = RouterStage()
    await withTaskGroup { group in
      for reader in 0..<RouterStage.readerCount {
        group.addTask { await stage.read(RouterReader(reader)) }
      }
      group.addTask { await stage.write() }
    }
    #expect(stage.findings.isEmpty)
  }

  @Test func `a router that is given up takes its index with it`() {
    weak var router: ContentRouter?
    do {
      let stage = RouterStage()
      stage.churn(changes: 500)
      router = stage.router
    }
    #expect(router == nil)
  }
}

/// One reader's random choices.
struct RouterReader {
  var random: SplitMix64
  var conditions: RandomConditions

  init(_ number: Int) {
    random = SplitMix64(seed: UInt64(number) &* 77)
    conditions = RandomConditions(random: SplitMix64(seed: UInt64(number) &* 131))
  }
}

/// A router, sessions that have to be found in it, and others that come and go.
final class RouterStage: Sendable {
  static let readerCount = 3
  private static let decisionCount = 1_500
  private static let leastChanges = 1_000

  /// Sessions that never change: an identifier that only they prefer.
  private static let steady: [(identifier: String, prefers: String)] = [
    ("steady:whole", "SELF == 'steady:whole'"),
    ("steady:beginning/7", "SELF BEGINSWITH 'steady:beg'"),
    ("7/steady:ending", "SELF ENDSWITH 'steady:ending'"),
    ("7/steady:middle/7", "SELF CONTAINS 'steady:middle'"),
    ("xyz", "SELF CONTAINS 'yz'"),
    ("STEADY:Case", "SELF ==[c] 'steady:case'"),
    ("stéady:mark/7", "SELF BEGINSWITH[cd] 'STEADY:MARK'"),
    ("steady:list", "SELF IN {'steady:other', 'steady:list', 'steady:third'}"),
    ("steady:hint", "SELF BEGINSWITH 'steady:h' AND SELF != 'steady:hunt'"),
    ("zzz:residual", "SELF >= 'zzz:' AND SELF < 'zzz:z'"),
    ("steady:same", "SELF == 'steady:same' OR SELF ENDSWITH 'same'"),
  ]

  /// Sessions whose conditions change between these, which all hold for the identifier.
  private static let moving: [(identifier: String, prefers: [String])] = [
    ("moving:1", ["SELF == 'moving:1'", "SELF BEGINSWITH 'moving:1'"]),
    ("moving:2", ["SELF ENDSWITH 'oving:2'", "SELF IN {'moving:2', 'moving:20'}"]),
    ("moving:3", ["SELF CONTAINS 'ving:3'", "SELF ==[c] 'MOVING:3'"]),
    ("moving:4", ["SELF BEGINSWITH 'moving:4' AND SELF != 'moving:44'", "SELF == 'moving:4'"]),
    ("moving:5", ["SELF LIKE '*moving?5*'", "SELF LIKE 'm?ving:5'"]),
  ]

  /// The one session that can show everything, now and then by another predicate.
  private static let fallback = ["TRUEPREDICATE", "SELF != 'never:1'", "SELF LIKE '*'"]

  private static let churning = 64

  let router = ContentRouter { SessionIdentifier(high: 0, low: UInt64($0.rawValue)) }
  private let changeCount = Atomic<Int>(0)
  private let readersLeft = Atomic<Int>(readerCount)
  private let notes = Guarded<[String]>([])
  private let movingConditions: [[SceneActivationConditions]]
  private let fallbackConditions: [SceneActivationConditions]

  init() {
    movingConditions = Self.moving.map { session in
      session.prefers.map { SceneActivationConditions(can: .false, prefers: Self.predicate($0)) }
    }
    fallbackConditions = Self.fallback.map { SceneActivationConditions(can: Self.predicate($0)) }
    for (number, session) in Self.steady.enumerated() {
      router.insert(
        Self.handle(number), role: 0, SessionRank(.active, lastActivated: UInt64(number)),
        SceneActivationConditions(can: .false, prefers: Self.predicate(session.prefers)))
    }
    for (number, conditions) in movingConditions.enumerated() {
      router.insert(
        movingHandle(number), role: 0, SessionRank(.active, lastActivated: UInt64(number)),
        conditions[0])
    }
    router.insert(
      fallbackHandle, role: 0, SessionRank(.active, lastActivated: 1_000),
      fallbackConditions[0])
  }

  var findings: [String] { notes.withLock { $0 } }

  private func find(_ finding: String) {
    notes.withLock { if $0.count < 10 { $0.append(finding) } }
  }

  private static func handle(_ number: Int) -> SessionHandle {
    SessionHandle(rawValue: UInt32(number))
  }

  private static func predicate(_ format: String) -> ContentPredicate {
    do {
      return try ContentPredicate(format: format)
    } catch {
      fatalError("\(format): \(error)")
    }
  }

  private func movingHandle(_ number: Int) -> SessionHandle {
    Self.handle(Self.steady.count + number)
  }

  private var fallbackHandle: SessionHandle { movingHandle(Self.moving.count) }

  private func churningHandle(_ number: Int) -> SessionHandle {
    // Far apart, so that the tables grow while they are read.
    Self.handle(100 + number * 97)
  }

  // MARK: - Reading

  /// Decides until it has decided often enough, and enough has changed.
  func read(_ reader: RouterReader) async {
    var reader = reader
    var count = 0
    while count < Self.decisionCount || changeCount.load(ordering: .relaxed) < Self.leastChanges {
      do {
        for _ in 0..<50 { try decide(&reader) }
      } catch {
        find("\(error)")
      }
      count += 50
      // There may be fewer threads than readers, and the writer needs one.
      await Task.yield()
    }
    readersLeft.wrappingSubtract(1, ordering: .relaxed)
  }

  private func decide(_ reader: inout RouterReader) throws(RoutingRefusal) {
    let steady = Int.random(in: 0..<Self.steady.count, using: &reader.random)
    let moving = Int.random(in: 0..<Self.moving.count, using: &reader.random)
    let other = reader.conditions.identifier()
    let targets = [Self.steady[steady].identifier, Self.moving[moving].identifier, other]
    let choices: [RoutingChoice]
    switch Int.random(in: 0..<3, using: &reader.random) {
    case 0:
      choices = [
        try router.chooseForActivation(targets[0], role: 0),
        try router.chooseForActivation(targets[1], role: 0), try router.choose(other),
      ]
    default:
      choices = [
        try router.choose(targets[0]), try router.choose(targets[1]), try router.choose(other),
      ]
    }
    expect(choices[0], .prefers, Self.handle(steady), targets[0])
    expect(choices[1], .prefers, movingHandle(moving), targets[1])
    // Others may prefer this one, but one session can always show it.
    if choices[2].rule != .prefers { expect(choices[2], .can, fallbackHandle, other) }
    if let session = choices[2].session, session.rawValue > churningHandle(Self.churning).rawValue {
      find("'\(other)' came to \(session), which never was")
    }
    expect(try router.choose(nil), .recent, fallbackHandle, "nil")
    // The source of the event may prefer it too, and comes first then.
    let source = churningHandle(0)
    let choice = try router.choose(targets[0], source: source)
    if choice.session != source { expect(choice, .prefers, Self.handle(steady), targets[0]) }
  }

  private func expect(
    _ choice: RoutingChoice, _ rule: RoutingRule, _ session: SessionHandle,
    _ target: String
  ) {
    if choice != RoutingChoice(rule, session) {
      find("'\(target)' came to \(choice), not by \(rule) to \(session)")
    }
  }

  // MARK: - Writing

  /// Changes sessions until all readers are through.
  func write() async {
    while readersLeft.load(ordering: .relaxed) > 0 {
      churn(changes: 20)
      await Task.yield()
    }
  }

  /// Changes sessions at random.
  func churn(changes: Int) {
    let seed = UInt64(changeCount.load(ordering: .relaxed))
    var random = SplitMix64(seed: seed)
    var conditions = RandomConditions(random: SplitMix64(seed: seed &* 31 &+ 5))
    for _ in 0..<changes {
      changeCount.wrappingAdd(1, ordering: .relaxed)
      let moving = Int.random(in: 0..<Self.moving.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        router.setConditions(
          movingHandle(moving), movingConditions[moving].randomElement(using: &random) ?? .init())
      case 1:
        router.setConditions(
          fallbackHandle, fallbackConditions.randomElement(using: &random) ?? .init())
      case 2:
        // Never so high that they would come before those that are expected.
        router.setRank(
          churningHandle(Int.random(in: 0..<Self.churning, using: &random)),
          SessionRank(.background, lastActivated: UInt64.random(in: 0..<4, using: &random)))
      case 3:
        router.remove(churningHandle(Int.random(in: 0..<Self.churning, using: &random)))
      case 4:
        router.setConditions(
          churningHandle(Int.random(in: 0..<Self.churning, using: &random)),
          conditions.conditions())
      default:
        let handle = churningHandle(Int.random(in: 0..<Self.churning, using: &random))
        guard !router.isOpen(handle) else { continue }
        router.insert(
          handle, role: 0, SessionRank(.archived, lastActivated: 0), conditions.conditions())
      }
    }
  }
}

extension ContentRouter {
  /// Whether a session is open, for the one that changes them.
  fileprivate func isOpen(_ handle: SessionHandle) -> Bool {
    entry(handle) != nil
  }
}
