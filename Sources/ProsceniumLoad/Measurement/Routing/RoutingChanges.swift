// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
import ProsceniumPredicate

/// Changes of exact conditions, prepared before the clock starts, for two writers.
///
/// Some of the sessions change, in random order and again and again; the others keep their
/// conditions, so that it is known what a decision about them must come to at any moment.
struct RoutingChanges: Sendable {
  private static let firstKey = 3 << 40
  private static let limit = 100_000

  let workload: RoutingWorkload
  /// One list for each writer; no session is in both.
  let lists: [RoutingChangeList]
  private let stride: UInt32

  /// Prepares changes for sessions that each prefer one identifier: at most half of the sessions,
  /// and at most 100,000.
  ///
  /// - Throws: What making a predicate throws; nothing is expected.
  init(_ workload: RoutingWorkload, seed: UInt64) throws(PredicateFormatError) {
    self.workload = workload
    let stride = max(2, workload.sessions / Self.limit)
    self.stride = UInt32(stride)
    var random = SplitMix64(seed: seed)
    var lists = [RoutingChangeList(), RoutingChangeList()]
    let places = RoutingWorkload.shuffled(workload.sessions / stride, using: &random)
    for (position, place) in places.enumerated() {
      let texts = (0..<2).map { variant in
        RoutingPattern.exact.identifier(workload.keys[Self.firstKey + place * 2 + variant], "")
      }
      try lists[position % 2].append(
        SessionHandle(rawValue: UInt32(place * stride + 1)), texts)
    }
    self.lists = lists
  }

  /// Tells whether a choice for a lookup can be right at some moment: a session that changes may
  /// have left the identifier, and then every session *can*.
  @inline(__always)
  func isRight(_ choice: ContentRouter.Choice, _ lookup: Int) -> Bool {
    workload.isRight(choice, lookup)
      || choice.rule == .can && workload.expected[lookup] % stride == 1
  }
}

/// Sessions that get other conditions, one after another and then from the beginning again.
struct RoutingChangeList: Sendable {
  private struct Entry: Sendable {
    let session: SessionHandle
    let texts: [String]
    let conditions: [SceneActivationConditions]
  }

  private var entries: [Entry] = []
  /// How many changes were made.
  private(set) var count = 0

  /// Adds a session that prefers one of some identifiers in turn.
  mutating func append(
    _ session: SessionHandle, _ texts: [String]
  ) throws(PredicateFormatError) {
    var conditions: [SceneActivationConditions] = []
    for text in texts { conditions.append(SceneActivationConditions(prefers: try .equals(text))) }
    entries.append(Entry(session: session, texts: texts, conditions: conditions))
  }

  /// Makes the next change; nothing if no session is on the list.
  mutating func changeNext(_ router: ContentRouter) {
    guard !entries.isEmpty else { return }
    let (turn, index) = count.quotientAndRemainder(dividingBy: entries.count)
    let entry = entries[index]
    router.setConditions(entry.session, entry.conditions[turn % entry.conditions.count])
    count += 1
  }

  /// Looks whether each changed session is found by its last identifier and by no other one.
  ///
  /// - Returns: How many decisions were wrong.
  func countWrong(_ router: ContentRouter) throws -> Int {
    var wrong = 0
    for (index, entry) in entries.enumerated() {
      let turns = count / entries.count + (index < count % entries.count ? 1 : 0)
      let last = turns == 0 ? nil : (turns - 1) % entry.texts.count
      for (variant, text) in entry.texts.enumerated() {
        let isFound = try router.choose(text) == ContentRouter.Choice(.prefers, entry.session)
        if isFound != (variant == last) { wrong += 1 }
      }
    }
    return wrong
  }
}
