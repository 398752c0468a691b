// SPDX-License-Identifier: Apache-2.0

/// Whoever meets an error can read what to do about it.
extension Rule {
  static let errors = Rule(
    "error codes", appliesTo: { $0.isInSources && $0.name.hasSuffix("Error.swift") }
  ) { file, tree in
    let rows = rows(under: "## \(file.name.dropLast(".swift".count))", in: tree)
    let pattern = try Regex(
      #"static let (\w+)(?:: Code)? = (?:Code|Self)\("#, as: (Substring, Substring).self)
    return file.code.enumerated().compactMap { offset, line in
      guard let code = line.firstMatch(of: pattern)?.output.1,
        !rows.contains(where: { $0.hasPrefix("| `\(code)` |") })
      else { return nil }
      return file.violation(
        line: offset + 1, "error code", "Docs/ERRORS.md does not say what to do about \(code)")
    }
  }

  private static func rows(under heading: String, in tree: SourceTree) -> ArraySlice<String> {
    let lines = tree.file(at: "Docs/ERRORS.md")?.lines ?? []
    guard let start = lines.firstIndex(of: heading) else { return [] }
    return lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
  }
}
