// SPDX-License-Identifier: Apache-2.0

import Testing

/// The house rules of `Docs/STYLE.md` that a program can check, on the whole repository.
@Suite struct TidyTests {
  static let tree = Result { try SourceTree.repository() }

  @Test(arguments: Rule.all)
  func `the repository keeps the rule about`(_ rule: Rule) throws {
    let violations = try rule.violations(in: Self.tree.get()).filter { violation in
      !Allowance.all.contains { $0.covers(violation) }
    }
    guard !violations.isEmpty else { return }
    let list = violations.map(\.description).joined(separator: "\n")
    Issue.record("\(violations.count) violations:\n\(list)")
  }

  @Test func `the walk sees the whole repository`() throws {
    let tree = try Self.tree.get()
    for path in ["Package.swift", "README.md", "Makefile", "scripts/bootstrap", ".ci/run"] {
      #expect(tree.file(at: path) != nil, "\(path) is not among the files")
    }
    for folder in ["Sources/Proscenium/", "Tests/", "Docs/"] {
      #expect(tree.files.contains { $0.path.hasPrefix(folder) }, "no file of \(folder) was read")
    }
    let glossary = try #require(tree.file(at: Rule.glossaryPath))
    for heading in ["## Words that are not used", "## Words of another style"] {
      #expect(!Rule.rows(of: glossary, under: heading).isEmpty, "no table under \(heading)")
    }
    let semantics = try #require(tree.file(at: Rule.semanticsPath))
    #expect(Rule.entries(of: semantics).count == 92, "85 rules and 7 sequences have an entry")
  }

  @Test func `every allowance is still needed and says why`() throws {
    let tree = try Self.tree.get()
    for allowance in Allowance.all {
      let violations = try tree.files.filter { allowance.concerns($0.path) }.flatMap { file in
        try Rule.all.flatMap { try $0.violations(in: file, of: tree) }
      }
      #expect(
        violations.contains(where: allowance.covers),
        "\(allowance.path) no longer breaks the rule about \(allowance.subject)")
      #expect(allowance.reason.hasSuffix("."), "the reason for \(allowance.path) is a sentence")
    }
  }
}

extension SourceTree: CustomTestStringConvertible {
  /// Short, because a failed expectation prints the values in it.
  var testDescription: String { "a tree of \(files.count) files" }
}
