// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Citations of the semantics resolve to an entry of `Docs/SEMANTICS.md`.
extension Rule {
  static let semantics = Rule("semantics", appliesTo: mayCite) { file, tree in
    guard let page = tree.file(at: semanticsPath) else { return [] }
    if file.path == semanticsPath { return try violations(in: page, tree: tree) }
    let cited = try citations(in: file)
    guard !cited.isEmpty else { return [] }
    let known = Set(entries(of: page).map(\.name))
      .union(MarkdownPage(page).anchors.map { "semantics#\($0)" })
    return cited.filter { !known.contains($0.name) }.map {
      file.violation(line: $0.line, $0.name, "\(semanticsPath) has no such rule")
    }
  }

  /// A number of a section means nothing to a reader who does not have the specification.
  static let sections = Rule("sections", appliesTo: mayCite) { file, _ in
    guard file.text.contains("ection") else { return [] }
    let pattern = try simpleRegex("\\b[Ss]ections? [0-9]")
    let message = "cite a rule of \(semanticsPath), or a heading as semantics#launch"
    return file.violations(in: file.lines, "section", message) {
      $0.contains(pattern) && !$0.contains("RFC")
    }
  }

  static let semanticsPath = "Docs/SEMANTICS.md"

  /// Rules of the specification that only vectors cite, or that concern no headless runtime.
  private static let uncited: Set<String> = ["R-DST-5", "R-LCH-4", "R-RT-5", "R-SR-7", "R-SR-8"]

  /// The rules' own tests cite rules that do not exist.
  private static func mayCite(_ file: SourceFile) -> Bool {
    !file.path.hasPrefix("Tests/TidyTests/")
  }

  /// The entries of the page, each a heading that is the rule's name.
  static func entries(of page: SourceFile) -> [(name: String, line: Int)] {
    MarkdownPage(page).prose.filter { $0.text.hasPrefix("### ") }.map {
      (String($0.text.dropFirst(4)), $0.number)
    }
  }

  private static func violations(in page: SourceFile, tree: SourceTree) throws -> [Violation] {
    var cited = uncited
    for file in tree.files where file.path != semanticsPath && mayCite(file) {
      cited.formUnion(try citations(in: file).map(\.name))
    }
    var seen: Set<String> = []
    return entries(of: page).compactMap { entry in
      guard seen.insert(entry.name).inserted else {
        return page.violation(line: entry.line, entry.name, "a rule has one entry")
      }
      guard !cited.contains(entry.name) else { return nil }
      return page.violation(line: entry.line, entry.name, "no source, test or page cites it")
    }
  }

  private static func citations(in file: SourceFile) throws -> [(name: String, line: Int)] {
    guard
      file.text.contains("R-") || file.text.contains("SEQ-")
        || file.text.contains("semantics#")
    else { return [] }
    let pattern = try simpleRegex(
      "\\b(?:R-[A-Z]+-[0-9]+[a-z]?|SEQ-[A-Z]+|semantics#[a-z0-9-]+)\\b")
    return file.lines.enumerated().flatMap { offset, line in
      line.matches(of: pattern).map { (String(line[$0.range]), offset + 1) }
    }
  }
}
