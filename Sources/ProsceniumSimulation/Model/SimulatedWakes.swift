// SPDX-License-Identifier: Apache-2.0

/// What one session is to be woken with, and what it was woken with.
///
/// Wakes are named by the numbers of their activities, which are given once in a world.
struct SimulatedWakes: Sendable {
  /// Acknowledged and not given yet, each with the time when it is due.
  private var waiting: [Int: Duration] = [:]
  /// Given in this life.
  private var given: Set<Int> = []
  /// Given in a life that has ended in order, so that they can never come again.
  private var over: Set<Int> = []

  /// Takes note that a wake is durable; it may have been given by now.
  mutating func acknowledge(_ wake: Int, due: Duration) {
    if !given.contains(wake), !over.contains(wake) { waiting[wake] = due }
  }

  /// Takes note that a wake was given.
  ///
  /// - Returns: Whether it was not given before.
  mutating func give(_ wake: Int) -> Bool {
    waiting[wake] = nil
    return !over.contains(wake) && given.insert(wake).inserted
  }

  /// The wakes that are due and were not given, in their order.
  func missing(at time: Duration) -> [Int] {
    waiting.filter { $0.value <= time }.keys.sorted()
  }

  /// Ends a life.
  ///
  /// - Parameter isInOrder: Whether everything is on the disk. Otherwise what was given may come
  ///   again, with the state that it led to lost.
  mutating func endLife(isInOrder: Bool) {
    if isInOrder { over.formUnion(given) }
    given = []
  }
}
