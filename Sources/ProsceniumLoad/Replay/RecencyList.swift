// SPDX-License-Identifier: Apache-2.0

/// Keeps elements in the order of their last use; every operation takes O(1) on the average.
///
/// The driver needs it three times: for the windows of a user, for the connected sessions, and
/// for those that have been idle too long.
public struct RecencyList<Element: Hashable & Sendable>: Sendable {
  private struct Use: Sendable {
    let element: Element
    let time: Int64
    let number: Int
  }

  /// The number of each element's last use.
  private var numbers: [Element: Int] = [:]
  /// Uses in their order; the first one is the last use of an element that is in the list.
  private var uses: [Use] = []
  /// Where the uses begin that still count.
  private var start = 0
  private var lastNumber = 0

  /// Makes an empty list.
  public init() {}

  /// The number of elements.
  public var count: Int { numbers.count }

  /// The element that was not used for the longest time, and the time of its last use.
  public var oldest: (element: Element, time: Int64)? {
    start == uses.count ? nil : (uses[start].element, uses[start].time)
  }

  /// All elements, in no order.
  public var elements: some Sequence<Element> { numbers.keys }

  /// Says whether the element is in the list.
  public func contains(_ element: Element) -> Bool { numbers[element] != nil }

  /// Makes an element the most recently used one, and adds it if it is not in the list.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - time: The time of the use, which the list keeps but does not compare.
  public mutating func use(_ element: Element, at time: Int64) {
    lastNumber += 1
    numbers[element] = lastNumber
    uses.append(Use(element: element, time: time, number: lastNumber))
    forget()
  }

  /// Takes an element out.
  ///
  /// - Returns: Whether it was in the list.
  @discardableResult
  public mutating func remove(_ element: Element) -> Bool {
    guard numbers.removeValue(forKey: element) != nil else { return false }
    forget()
    return true
  }

  /// Passes over uses that count no longer, and drops them once they are most of all.
  private mutating func forget() {
    while start < uses.count, numbers[uses[start].element] != uses[start].number { start += 1 }
    guard uses.count > 2 * numbers.count + 64 else { return }
    uses = uses[start...].filter { numbers[$0.element] == $0.number }
    start = 0
  }
}
