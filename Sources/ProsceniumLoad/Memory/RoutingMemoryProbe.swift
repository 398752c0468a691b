// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// Measures what a session costs in a router, and what an exact condition adds to it.
///
/// The growth of allocated memory is divided by the number of sessions. Nothing else should run
/// meanwhile.
struct RoutingMemoryProbe: Sendable {
  /// How many sessions each router gets: 1 or more.
  let count: Int
  let meter: any MemoryMeter

  /// Measures.
  ///
  /// - Returns: The cost of a session with default conditions, of an exact condition with all that
  ///   is allocated for its predicate, and of the same without the bytes of its text; nothing where
  ///   the allocator does not tell.
  /// - Throws: What making a predicate throws; nothing is expected.
  func run() throws(PredicateFormatError) -> [MemoryCost] {
    guard meter.memory() != nil else { return [] }
    let keys = RoutingKeys(seed: 1)
    let length = RoutingPattern.exact.identifier(keys[0], "").utf8.count
    let plain = try bytesPerSession { _ in SceneActivationConditions() }
    let exact = try bytesPerSession { index throws(PredicateFormatError) in
      SceneActivationConditions(prefers: try RoutingPattern.exact.predicate(keys[index]))
    }
    return [
      MemoryCost(name: "session in the router, default conditions", count: count, bytes: plain),
      MemoryCost(
        name: "exact condition of \(length) bytes, its predicate included", count: count,
        bytes: exact - plain),
      MemoryCost(
        name: "the same without the \(length) bytes", count: count,
        bytes: exact - plain - Double(length)),
    ]
  }

  private func bytesPerSession(
    _ conditions: (Int) throws(PredicateFormatError) -> SceneActivationConditions
  ) throws(PredicateFormatError) -> Double {
    let before = allocated
    let router = ContentRouter { SessionIdentifier(high: 0, low: UInt64($0.rawValue)) }
    for index in 0..<count {
      router.insert(
        SessionHandle(rawValue: UInt32(index)), role: 0,
        SessionStanding(.archived, lastActivated: UInt64(index)), try conditions(index))
    }
    let after = allocated
    return withExtendedLifetime(router) { Double(after - before) / Double(count) }
  }

  private var allocated: Int { meter.memory()?.allocated ?? 0 }
}
