// SPDX-License-Identifier: Apache-2.0

/// The full canonical decomposition of a text (NFD), built scalar by scalar.
struct CanonicalDecomposition {
  /// The decomposed scalars, in canonical order after ``order()``.
  private(set) var scalars: [ClassedScalar] = []
  private let removesDiacritics: Bool
  private let tables = UnicodeTables.shared

  /// Makes an empty decomposition.
  ///
  /// - Parameter removesDiacritics: Whether U+0300 to U+036F are left out. They are so before the
  ///   rest is ordered: one of them is no mark, and what it kept apart moves together.
  init(removesDiacritics: Bool = false) {
    self.removesDiacritics = removesDiacritics
  }

  /// Appends what a scalar decomposes to.
  mutating func append(_ scalar: UInt32) {
    if scalar < UnicodeTables.firstDecomposable { return add(scalar) }
    if let syllable = HangulSyllable(scalar) {
      for jamo in syllable.jamos { add(jamo) }
      return
    }
    guard let parts = tables.decompositions[scalar] else { return add(scalar) }
    // Only the first part of a pair decomposes further, a few times at most.
    append(parts[0])
    for part in parts.dropFirst() { add(part) }
  }

  private mutating func add(_ scalar: UInt32) {
    if removesDiacritics, 0x300...0x36F ~= scalar { return }
    let combiningClass = scalar < UnicodeTables.firstMark ? 0 : tables.combiningClasses[scalar] ?? 0
    scalars.append(
      ClassedScalar(scalar: scalar, combiningClass: combiningClass, position: scalars.count))
  }

  /// Sorts each run of marks by their classes, and leaves those of one class in their order.
  mutating func order() {
    var start = 0
    while start < scalars.count {
      var end = start + 1
      if scalars[start].combiningClass > 0 {
        while end < scalars.count, scalars[end].combiningClass > 0 { end += 1 }
        scalars[start..<end].sort()
      }
      start = end
    }
  }

  /// Empties the decomposition and keeps its memory.
  mutating func removeAll() {
    scalars.removeAll(keepingCapacity: true)
  }
}

/// A scalar with its canonical combining class; the smaller one comes first in canonical order.
struct ClassedScalar: Comparable {
  let scalar: UInt32
  let combiningClass: UInt8
  /// Keeps scalars of one class in their order.
  let position: Int

  static func < (left: Self, right: Self) -> Bool {
    (left.combiningClass, left.position) < (right.combiningClass, right.position)
  }
}
