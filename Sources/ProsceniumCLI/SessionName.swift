// SPDX-License-Identifier: Apache-2.0

/// What a file calls a session: any text, compared byte by byte.
struct SessionName: Sendable, Hashable, Comparable, CustomStringConvertible {
  let description: String

  init(_ text: String) {
    description = text
  }

  static func == (left: Self, right: Self) -> Bool {
    left.description.utf8.elementsEqual(right.description.utf8)
  }

  static func < (left: Self, right: Self) -> Bool {
    left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
  }

  func hash(into hasher: inout Hasher) {
    // Equal bytes are an equal `String`, so its own hash fits the finer equality.
    hasher.combine(description)
  }
}
