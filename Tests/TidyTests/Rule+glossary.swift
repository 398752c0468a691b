// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One word for one thing: the words that the glossary bans are used nowhere else.
extension Rule {
  static let glossary = Rule(
    "glossary",
    appliesTo: { $0.isMarkdown && $0.path != glossaryPath || $0.isInSources && $0.isSwift }
  ) { file, tree in
    guard let glossary = tree.file(at: glossaryPath) else { return [] }
    let text = file.text.lowercased()
    let banned = bannedWords(of: glossary).filter { text.contains(stem(of: $0.word)) }
    var violations: [Violation] = []
    for entry in banned {
      let pattern = try simpleRegex(pattern(for: entry.word)).ignoresCase()
      let message = "the glossary's word is \(entry.instead)"
      violations += file.violations(in: file.lines, entry.word, message) {
        (file.isMarkdown || $0.contains("///")) && prose(of: $0).contains(pattern)
      }
    }
    return violations
  }

  static let glossaryPath = "Docs/GLOSSARY.md"

  static func bannedWords(of page: SourceFile) -> [(word: String, instead: String)] {
    rows(of: page, under: "## Words that are not used")
  }

  /// The rows of the table under a heading: words, and what to say instead.
  static func rows(of page: SourceFile, under heading: String) -> [(word: String, instead: String)]
  {
    let section = page.lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("## ") }
    return section.filter { $0.hasPrefix("| ") }.dropFirst().flatMap { row in
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count > 1 else { return [(word: String, instead: String)]() }
      return cells[0].split(separator: ",").map {
        ($0.trimmingCharacters(in: .whitespaces), cells[1])
      }
    }
  }

  private static func stem(of word: String) -> String {
    word.hasSuffix("e") ? String(word.dropLast()) : word
  }

  /// The line without the names between backticks, which belong to other projects.
  private static func prose(of line: String) -> String {
    line.split(separator: "`", omittingEmptySubsequences: false)
      .enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: "`")
  }

  /// The word with the endings of its forms.
  private static func pattern(for word: String) -> String {
    let endings = word.hasSuffix("e") ? "e|es|ed|ing|ion|ions|or|ors" : "|s|ed|ing|ion|ions|er|ment"
    return "\\b\(stem(of: word))(?:\(endings))\\b"
  }
}
