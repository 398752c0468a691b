// SPDX-License-Identifier: Apache-2.0

/// One text file of the repository, in the forms in which the rules read it.
struct SourceFile: Sendable {
  /// The path from the repository's root, with `/` between its parts.
  let path: String
  let text: String
  let lines: [String]
  /// The lines of a Swift file without its comments and without what its string literals say;
  /// of other files, the lines as they are.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    lines = Self.lines(of: text)
    code = path.hasSuffix(".swift") ? Self.lines(of: CodeMask.mask(text)) : lines
  }

  var name: String { String(path.split(separator: "/").last ?? "") }

  var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

  var isSwift: Bool { path.hasSuffix(".swift") }

  var isMarkdown: Bool { path.hasSuffix(".md") }

  var isC: Bool { path.hasSuffix(".c") || path.hasSuffix(".h") }

  /// Shell scripts have no extension here; they are known by their first line.
  var isScript: Bool { text.hasPrefix("#!") }

  var isInSources: Bool { path.hasPrefix("Sources/") }

  /// The lines of a text, split by bytes, so that a carriage return stays visible at a line's end.
  private static func lines(of text: String) -> [String] {
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { String(Substring($0)) }
  }
}
