// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Plain technical English in pages, comments and messages.
extension Rule {
  static let words = Rule(
    "words", appliesTo: { $0.path != glossaryPath && !$0.path.hasPrefix("Tests/TidyTests/") }
  ) { file, tree in
    guard let glossary = tree.file(at: glossaryPath) else { return [] }
    let text = file.text.lowercased()
    let words = rows(of: glossary, under: "## Words of another style").map(\.word)
      .filter(text.contains)
    guard !words.isEmpty else { return [] }
    let pattern = try simpleRegex("\\b(?:\(words.joined(separator: "|")))\\b").ignoresCase()
    let message = "say it in plain terms, as \(glossaryPath) does"
    let lines = zip(file.lines, file.code).map { file.isSwift ? prose(of: $0, code: $1) : $0 }
    return file.violations(in: lines, "plain words", message) { $0.contains(pattern) }
  }

  /// What of the line is no code: comments, texts, and names between backticks.
  private static func prose(of line: String, code: String) -> String {
    String(
      decoding: zip(line.utf8, code.utf8).map { $0 == $1 ? UInt8(ascii: " ") : $0 },
      as: UTF8.self)
  }
}
