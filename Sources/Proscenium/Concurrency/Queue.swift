// SPDX-License-Identifier: Apache-2.0

/// Elements that are taken out in the order in which they came, at a constant price each.
struct Queue<Element> {
  /// What waits, behind places that are free: each of these costs one move later.
  private var places: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == places.count }
  var first: Element? { isEmpty ? nil : places[head] }
  var elements: [Element] { places[head...].compactMap { $0 } }

  /// The element with a number of others in front of it.
  subscript(index: Int) -> Element? {
    let place = head + index
    return index >= 0 && place < places.count ? places[place] : nil
  }

  mutating func append(_ element: Element) {
    places.append(element)
  }

  /// Puts an element in front of all others.
  mutating func prepend(_ element: Element) {
    if head == 0 { return places.insert(element, at: 0) }
    head -= 1
    places[head] = element
  }

  mutating func popFirst() -> Element? {
    guard let element = first else { return nil }
    places[head] = nil
    head += 1
    if 2 * head > places.count {
      places.removeSubrange(..<head)
      head = 0
    }
    return element
  }

  mutating func popLast() -> Element? {
    isEmpty ? nil : places.removeLast()
  }

  mutating func removeAll(where isGone: (Element) -> Bool) {
    (places, head) = (elements.filter { !isGone($0) }, 0)
  }
}

extension Queue: Sendable where Element: Sendable {}
