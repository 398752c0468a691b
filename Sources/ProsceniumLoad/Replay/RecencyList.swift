// SPDX-License-Identifier: Apache-2.0

/// Keeps elements in the order of their last use; every operation takes O(1).
///
/// The driver needs it three times: for the windows of a user, for the connected sessions, and
/// for those that have been idle too long.
public struct RecencyList<Element: Hashable & Sendable>: Sendable {
  private struct Node: Sendable {
    let element: Element
    var time: Int64
    var older: Int
    var newer: Int
  }

  // A doubly linked list in an array; -1 is the end, `free` holds the unused places.
  private var nodes: [Node] = []
  private var free: [Int] = []
  private var places: [Element: Int] = [:]
  private var oldestPlace = -1
  private var newestPlace = -1

  /// Makes an empty list.
  public init() {}

  /// The number of elements.
  public var count: Int { places.count }

  /// The element that was not used for the longest time, and the time of its last use.
  public var oldest: (element: Element, time: Int64)? {
    oldestPlace < 0 ? nil : (nodes[oldestPlace].element, nodes[oldestPlace].time)
  }

  /// All elements, in no order.
  public var elements: some Sequence<Element> { places.keys }

  /// Says whether the element is in the list.
  public func contains(_ element: Element) -> Bool { places[element] != nil }

  /// Makes an element the most recently used one, and adds it if it is not in the list.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - time: The time of the use, which the list keeps but does not compare.
  public mutating func use(_ element: Element, at time: Int64) {
    if let place = places[element] {
      nodes[place].time = time
      if place != newestPlace {
        unlink(place)
        link(place)
      }
      return
    }
    let node = Node(element: element, time: time, older: -1, newer: -1)
    let place: Int
    if let unused = free.popLast() {
      place = unused
      nodes[place] = node
    } else {
      place = nodes.count
      nodes.append(node)
    }
    places[element] = place
    link(place)
  }

  /// Takes an element out.
  ///
  /// - Returns: Whether it was in the list.
  @discardableResult
  public mutating func remove(_ element: Element) -> Bool {
    guard let place = places.removeValue(forKey: element) else { return false }
    unlink(place)
    free.append(place)
    return true
  }

  private mutating func link(_ place: Int) {
    nodes[place].older = newestPlace
    nodes[place].newer = -1
    if newestPlace >= 0 { nodes[newestPlace].newer = place } else { oldestPlace = place }
    newestPlace = place
  }

  private mutating func unlink(_ place: Int) {
    let (older, newer) = (nodes[place].older, nodes[place].newer)
    if older >= 0 { nodes[older].newer = newer } else { oldestPlace = newer }
    if newer >= 0 { nodes[newer].older = older } else { newestPlace = older }
  }
}
