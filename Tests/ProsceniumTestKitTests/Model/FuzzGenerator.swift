// SPDX-License-Identifier: Apache-2.0

/// SplitMix64: the same choices from the same seed, so that a failure can be repeated.
struct FuzzGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(truncatingIfNeeded: next() % UInt64(range.count))
  }

  /// True so many times of a hundred.
  mutating func chance(_ percent: Int) -> Bool { number(in: 0...99) < percent }

  /// One of the elements; nil if there are none.
  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[number(in: 0...elements.count - 1)]
  }

  /// One of the elements, by weight.
  mutating func pick<Element>(weighted elements: [(Element, weight: Int)]) -> Element? {
    var rest = number(in: 0...max(0, elements.reduce(0) { $0 + $1.weight } - 1))
    for (element, weight) in elements {
      if rest < weight { return element }
      rest -= weight
    }
    return nil
  }
}
