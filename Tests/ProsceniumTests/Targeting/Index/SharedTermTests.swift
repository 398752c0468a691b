// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import ProsceniumPrimitives
@testable import Proscenium
import Testing

/// The terms that other processes are told, against the sessions that there are.
@Suite struct SharedTermTests {
  /// What another process knows of the terms.
  private final class Told: Sendable {
    struct State: Sendable {
      var counts: [SharedTerm: Int] = [:]
      var departures = 0
      var isWrong = false
    }

    let state = Guarded(State())

    func note(_ term: SharedTerm, _ change: TermChange) {
      state.withLock { state in
        state.counts[term, default: 0] += change == .entered ? 1 : -1
        if change == .departed { state.departures += 1 }
        if state.counts[term] ?? 0 < 0 { state.isWrong = true }
        if state.counts[term] == 0 { state.counts[term] = nil }
      }
    }

    /// Whether a session may do something with an identifier.
    func mayHold(_ kind: SharedTerm.Kind, _ identifier: String) -> Bool {
      state.withLock { state in
        let shapes = Set(state.counts.keys.map(\.shape)).filter { $0.kind == kind }
        if shapes.contains(where: \.isUnbounded) { return true }
        let hashes = Set(state.counts.keys.filter { $0.shape.kind == kind }.map(\.hash))
        var isFound = false
        SharedTerm.look(for: identifier, shapes.sorted()) {
          isFound = isFound || hashes.contains($0)
        }
        return isFound
      }
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `no session is left out, whatever its conditions are`(seed: UInt64) throws {
    let told = Told()
    let router = ContentRouter(observer: told.note) {
      SessionIdentifier(high: 0, low: UInt64($0.rawValue))
    }
    var random = SplitMix64(seed: seed)
    var conditions = RandomConditions(random: SplitMix64(seed: seed &* 31))
    var open: [(handle: SessionHandle, conditions: SceneActivationConditions)] = []
    var falseHits = 0
    for number in 0..<200 {
      switch random.number(below: 4) {
      case 0, 1:
        let handle = SessionHandle(rawValue: UInt32(number))
        let own =
          random.number(below: 3) == 0 ? SceneActivationConditions() : conditions.conditions()
        router.insert(handle, role: 0, SessionRank(.archived, lastActivated: 0), own)
        open.append((handle, own))
      case 2 where !open.isEmpty:
        let index = random.number(below: open.count)
        open[index].conditions = conditions.conditions()
        router.setConditions(open[index].handle, open[index].conditions)
      default:
        guard !open.isEmpty else { continue }
        let session = open.remove(at: random.number(below: open.count))
        router.remove(session.handle, departs: random.number(below: 2) == 0)
      }
      // Sessions of other roles are of no account.
      let other = SessionHandle(rawValue: UInt32(1_000 + number))
      router.insert(
        other, role: 1, SessionRank(.active, lastActivated: 1), conditions.conditions())
      let identifier = conditions.identifier()
      for kind in SharedTerm.Kind.allCases {
        let holds = open.contains {
          (kind == .prefers ? $0.conditions.prefers : $0.conditions.can).evaluate(identifier)
        }
        let may = told.mayHold(kind, identifier)
        if holds { #expect(may, "\(kind) \(identifier)") }
        if may, !holds { falseHits += 1 }
      }
    }
    for session in open { router.remove(session.handle) }
    let state = told.state.withLock { $0 }
    #expect(state.counts.isEmpty && !state.isWrong)
    #expect(state.departures > 0)
    // Predicates that no term decides are evaluated by the process that has them.
    #expect(falseHits < 300)
  }

  @Test func `a whole identifier is found by its hash alone`() throws {
    let told = Told()
    let router = ContentRouter(observer: told.note) {
      SessionIdentifier(high: 0, low: UInt64($0.rawValue))
    }
    for number in 0..<1_000 {
      let conditions = SceneActivationConditions(
        can: .false, prefers: try ContentPredicate.equals("document/\(number)"))
      router.insert(
        SessionHandle(rawValue: UInt32(number)), role: 0,
        SessionRank(.archived, lastActivated: 0), conditions)
    }
    #expect(told.state.withLock { $0.counts.count } == 1_000)
    #expect((0..<1_000).allSatisfy { told.mayHold(.prefers, "document/\($0)") })
    #expect((1_000..<3_000).allSatisfy { !told.mayHold(.prefers, "document/\($0)") })
    #expect(!told.mayHold(.can, "document/1"))
  }

  @Test func `the hashes are the same in every process and in every build`() {
    let terms: [(RoutingTerm.Position, String)] = [
      (.whole, "document/1"), (.beginning, "doc"), (.ending, "/1234567890"),
    ]
    let hashes = terms.map { position, text in
      SharedTerm(.prefers, RoutingTerm(position, [], ContiguousArray(text.utf8)), .text)?.hash ?? 0
    }
    // A change of these lets nodes of different builds miss each other's sessions.
    #expect(hashes == [670_895_971_549, 862_152_716_644, 471_971_530_356])
  }

  @Test func `what is longer than any identifier has no term`() {
    let text = ContiguousArray(repeating: UInt8(ascii: "a"), count: 70_000)
    #expect(SharedTerm(.can, RoutingTerm(.beginning, [], text), .text) == nil)
    #expect(SharedTerm.Shape(rawValue: .max) == nil)
  }
}
