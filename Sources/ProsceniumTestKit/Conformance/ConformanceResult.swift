// SPDX-License-Identifier: Apache-2.0

/// What came of one case of a suite.
package struct ConformanceResult: Sendable, Hashable {
  /// The case's name, unique in its file.
  package let id: String
  /// What the file says about the case.
  package let note: String?
  /// What differs from what the case expects, in one line; nil if nothing does.
  package let difference: String?

  package init(id: String, note: String? = nil, difference: String?) {
    self.id = id
    self.note = note
    self.difference = difference
  }
}
