// SPDX-License-Identifier: Apache-2.0

/// What differs from an expectation, with the paths of its parts.
struct ExpectationDifferences {
  private(set) var all: [String] = []
  private var path: String

  init(path: String) {
    self.path = path
  }

  /// Lets a function add differences of a part.
  mutating func inside(_ part: String, _ body: (inout ExpectationDifferences) -> Void) {
    let outer = path
    path += ".\(part)"
    body(&self)
    path = outer
  }

  mutating func compare(_ part: String, _ expected: String, _ found: String) {
    if !expected.utf8.elementsEqual(found.utf8) { add(part, expected, found) }
  }

  mutating func add(_ part: String, _ expected: String, _ found: String) {
    all.append("\(path).\(part): expected \(expected), found \(found)")
  }

  mutating func add(_ expected: String, _ found: String) {
    all.append("\(path): expected \(expected), found \(found)")
  }
}
