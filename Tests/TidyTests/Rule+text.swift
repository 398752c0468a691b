// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What every text has in common: its licence, its white space, and no notes to oneself.
extension Rule {
  static let licenceLine = Rule("licence line", appliesTo: { isSource($0) }) { file, _ in
    // A script's first line names its interpreter, a manifest's its tools.
    let first = file.isScript || file.lines.first?.contains("swift-tools-version") == true ? 1 : 0
    let line = file.lines.dropFirst(first).first ?? ""
    guard !line.hasSuffix(" SPDX-License-Identifier: Apache-2.0") else { return [] }
    let message = "this line is a comment that says SPDX-License-Identifier: Apache-2.0"
    return [file.violation(line: first + 1, "licence line", message)]
  }

  static let trailingSpace = Rule("trailing space", appliesTo: { _ in true }) { file, _ in
    let message = "a line ends with its last visible character"
    return file.violations(in: file.lines, "trailing space", message) { line in
      line.utf8.last.map { [0x20, 0x09, 0x0D].contains($0) } ?? false
    }
  }

  static let lastNewline = Rule("last newline", appliesTo: { _ in true }) { file, _ in
    guard !file.text.hasSuffix("\n") || file.text.hasSuffix("\n\n") else { return [] }
    let message = "a file ends with exactly one newline"
    return [file.violation(line: file.lines.count, "last newline", message)]
  }

  /// The rule's own folder spells these words, to find them.
  static let unfinishedWork = Rule(
    "unfinished work", appliesTo: { !$0.path.hasPrefix("Tests/TidyTests/") }
  ) { file, _ in
    var violations: [Violation] = []
    for word in ["TODO", "FIXME", "XXX"] where file.text.contains(word) {
      let pattern = try simpleRegex("\\b\(word)\\b")
      violations += file.violations(in: file.lines, word, "do it now, or leave it out") {
        $0.contains(word) && $0.contains(pattern)
      }
    }
    return violations
  }

  private static func isSource(_ file: SourceFile) -> Bool {
    file.isSwift || file.isC || file.isScript || file.name == "Makefile"
  }
}
