// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

extension SplitMix64 {
  /// True once in so many times.
  mutating func oneIn(_ count: Int) -> Bool {
    number(below: count) == 0
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }
}
