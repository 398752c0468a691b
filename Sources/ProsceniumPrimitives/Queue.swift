// SPDX-License-Identifier: Apache-2.0

/// Elements that are taken out in the order in which they came, at a constant price each.
public struct Queue<Element> {
  /// What waits, behind places that are free: each of these costs one move later.
  @usableFromInline var places: [Element?] = []
  @usableFromInline var head = 0

  /// Creates an empty queue.
  @inlinable
  public init() {}

  /// Whether nothing waits.
  @inlinable public var isEmpty: Bool { head == places.count }

  /// How many elements wait.
  @inlinable public var count: Int { places.count - head }

  /// What is taken out next.
  @inlinable public var first: Element? { isEmpty ? nil : places[head] }

  /// Everything that waits, in order.
  @inlinable public var elements: [Element] { places[head...].compactMap { $0 } }

  /// The element with a number of others in front of it, if there is one.
  @inlinable
  public subscript(index: Int) -> Element? {
    let place = head + index
    return index >= 0 && place < places.count ? places[place] : nil
  }

  /// Adds an element behind all others.
  @inlinable
  public mutating func append(_ element: Element) {
    places.append(element)
  }

  /// Puts an element in front of all others.
  @inlinable
  public mutating func prepend(_ element: Element) {
    if head == 0 { return places.insert(element, at: 0) }
    head -= 1
    places[head] = element
  }

  /// Takes the first element out.
  @inlinable
  public mutating func popFirst() -> Element? {
    guard let element = first else { return nil }
    places[head] = nil
    head += 1
    if 2 * head > places.count {
      places.removeSubrange(..<head)
      head = 0
    }
    return element
  }

  /// Takes the last element out.
  @inlinable
  public mutating func popLast() -> Element? {
    isEmpty ? nil : places.removeLast()
  }

  /// Takes out what a function names; the others keep their order.
  @inlinable
  public mutating func removeAll(where isGone: (Element) -> Bool) {
    (places, head) = (elements.filter { !isGone($0) }, 0)
  }
}

extension Queue: Sendable where Element: Sendable {}
