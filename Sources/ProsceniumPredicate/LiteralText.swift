// SPDX-License-Identifier: Apache-2.0

/// A text that is compared byte by byte.
///
/// Swift's own comparison of strings takes canonically equivalent spellings for equal; the
/// predicate language does not.
package struct LiteralText: Sendable, Hashable {
  package let string: String

  package init(_ string: String) {
    self.string = string
  }

  package static func == (left: LiteralText, right: LiteralText) -> Bool {
    ByteText.equal(left.string.utf8.span, right.string.utf8.span)
  }

  package func hash(into hasher: inout Hasher) {
    // Equal bytes are an equal `String`, so its own hash fits the finer equality.
    hasher.combine(string)
  }
}
