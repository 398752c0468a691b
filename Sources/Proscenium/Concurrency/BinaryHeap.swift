// SPDX-License-Identifier: Apache-2.0

/// Elements of which the least one is at hand.
struct BinaryHeap<Element: Comparable & Sendable>: Sendable {
  /// All elements; each is not less than the one at half its place.
  private(set) var elements: [Element] = []

  init() {}

  init(_ elements: some Sequence<Element>) {
    // What is sorted is a heap.
    self.elements = elements.sorted()
  }

  var count: Int { elements.count }
  var isEmpty: Bool { elements.isEmpty }
  var min: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var place = elements.count - 1
    while place > 0, elements[place] < elements[(place - 1) / 2] {
      elements.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes out the least element; there has to be one.
  @discardableResult
  mutating func removeMin() -> Element {
    elements.swapAt(0, elements.count - 1)
    let least = elements.removeLast()
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < elements.count else { return least }
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < elements[place] else { return least }
      elements.swapAt(place, child)
      place = child
    }
  }
}
