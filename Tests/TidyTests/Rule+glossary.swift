// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One word for one thing: the words of the glossary's last table stand nowhere else.
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

  private static let glossaryPath = "Docs/GLOSSARY.md"

  /// The rows of the table under "Words that are not used": words, and what to say instead.
  static func bannedWords(of page: SourceFile) -> [(word: String, instead: String)] {
    let start = page.lines.firstIndex { $0 == "## Words that are not used" }
    let rows = page.lines[(start ?? page.lines.count)...].filter { $0.hasPrefix("| ") }.dropFirst()
    return rows.flatMap { row in
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

  /// The line without what stands between backticks: other people's names stay sayable.
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
