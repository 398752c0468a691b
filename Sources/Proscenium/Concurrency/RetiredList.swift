// SPDX-License-Identifier: Apache-2.0

/// Things that nobody can find any more and that somebody may still be reading.
///
/// They are freed at the second turn of the ``GracePeriods`` after they were retired.
struct RetiredList<Element: Sendable>: Sendable {
  private var fresh: ContiguousArray<Element> = []
  private var waiting: ContiguousArray<Element> = []

  var count: Int { fresh.count + waiting.count }

  /// Adds what has just been taken out.
  mutating func append(_ element: Element) {
    fresh.append(element)
  }

  /// Moves on by a turn, if it is possible, and hands over what nobody reads any more.
  mutating func advance(_ periods: borrowing GracePeriods, free: (Element) -> Void) {
    guard periods.turn() else { return }
    for element in waiting { free(element) }
    waiting.removeAll(keepingCapacity: true)
    swap(&fresh, &waiting)
  }

  /// Hands over everything, when there can be no readers.
  mutating func removeAll(free: (Element) -> Void) {
    for element in fresh { free(element) }
    for element in waiting { free(element) }
    fresh = []
    waiting = []
  }
}
