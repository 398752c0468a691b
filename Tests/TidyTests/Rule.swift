// SPDX-License-Identifier: Apache-2.0

/// A rule of the house: a pure function from the tree to the places that break it.
struct Rule: Sendable, CustomStringConvertible {
  let name: String
  private let check: @Sendable (SourceFile, SourceTree) throws -> [Violation]

  /// A rule about each file that `appliesTo` picks.
  init(
    _ name: String,
    appliesTo: @escaping @Sendable (SourceFile) -> Bool,
    check: @escaping @Sendable (SourceFile, SourceTree) throws -> [Violation]
  ) {
    self.name = name
    self.check = { file, tree in appliesTo(file) ? try check(file, tree) : [] }
  }

  var description: String { name }

  func violations(in tree: SourceTree) throws -> [Violation] {
    try tree.files.flatMap { try violations(in: $0, of: tree) }
  }

  func violations(in file: SourceFile, of tree: SourceTree) throws -> [Violation] {
    try check(file, tree)
  }

  static let all: [Rule] = [
    .fileLength, .lineLength, .functionLength,
    .licenceLine, .trailingSpace, .lastNewline, .unfinishedWork,
    .fileName, .calls,
    .title, .links, .examples, .glossary, .words, .errors, .semantics, .sections,
  ]
}
