// SPDX-License-Identifier: Apache-2.0

/// Code in the documentation is code that the compiler has seen.
extension Rule {
  static let examples = Rule("examples", appliesTo: \.isMarkdown) { file, tree in
    let blocks = MarkdownPage(file).blocks.filter { $0.language == "swift" }
    guard !blocks.isEmpty else { return [] }
    let compiled = tree.files.filter {
      $0.isSwift && ($0.path.hasPrefix("Tests/") || $0.path.hasPrefix("Docs/Examples/"))
    }
    return blocks.compactMap { block in
      guard !compiled.contains(where: { stands(block.lines, in: $0.lines) }) else { return nil }
      return file.violation(
        line: block.firstLine, "example",
        "stands in no file of Tests or Docs/Examples, line for line")
    }
  }

  /// Whether the lines stand in the file one after the other, whatever the common indentation.
  private static func stands(_ block: [String], in lines: [String]) -> Bool {
    guard !block.isEmpty, block.count <= lines.count else { return false }
    let wanted = unindented(block[...])
    let first = wanted[0].drop { $0 == " " }
    for start in 0...lines.count - block.count where lines[start].hasSuffix(first) {
      if unindented(lines[start..<start + block.count]) == wanted { return true }
    }
    return false
  }

  private static func unindented(_ lines: ArraySlice<String>) -> [Substring] {
    let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    return lines.map { $0.dropFirst(indents.min() ?? 0) }
  }
}
