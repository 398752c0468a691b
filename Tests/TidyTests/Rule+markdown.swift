// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Pages that can be listed by their titles, and whose links lead somewhere.
extension Rule {
  static let title = Rule("title", appliesTo: \.isMarkdown) { file, _ in
    let titles = MarkdownPage(file).prose.filter { $0.text.hasPrefix("# ") }
    guard titles.count != 1 || titles[0].number != 1 else { return [] }
    let line = titles.dropFirst().first?.number ?? titles.first?.number ?? 1
    return [file.violation(line: line, "title", "a page has one '# Title', on its first line")]
  }

  static let links = Rule("links", appliesTo: \.isMarkdown) { file, tree in
    let page = MarkdownPage(file)
    let pattern = try Regex(#"\]\(([^)\s]+)\)"#, as: (Substring, Substring).self)
    return page.prose.flatMap { line in
      line.text.matches(of: pattern).compactMap { match in
        let target = String(match.output.1)
        guard !["https:", "http:", "mailto:"].contains(where: target.hasPrefix),
          !isFound(target, from: file, anchors: page.anchors, in: tree)
        else { return nil }
        return file.violation(
          line: line.number, "link", "\(target) leads nowhere in this repository")
      }
    }
  }

  private static func isFound(
    _ target: String, from file: SourceFile, anchors: Set<String>, in tree: SourceTree
  ) -> Bool {
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let anchor = parts.count > 1 ? String(parts[1]) : nil
    if parts[0].isEmpty { return anchor.map(anchors.contains) ?? false }
    guard let path = resolve(String(parts[0]), from: file.folder), tree.contains(path) else {
      return false
    }
    guard let anchor, let page = tree.file(at: path), page.isMarkdown else { return true }
    return MarkdownPage(page).anchors.contains(anchor)
  }

  /// The path from the root, or nil for a link that leaves the repository.
  private static func resolve(_ link: String, from folder: String) -> String? {
    var parts = folder.split(separator: "/")
    for part in link.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts.joined(separator: "/")
  }
}
