// SPDX-License-Identifier: Apache-2.0

/// A page of documentation, taken apart into prose and fenced blocks.
struct MarkdownPage {
  struct Line {
    /// The line's number, from 1.
    let number: Int
    let text: String
  }

  struct Block {
    let language: String
    /// The number of the block's first line after the fence, from 1.
    let firstLine: Int
    var lines: [String] = []
  }

  private(set) var prose: [Line] = []
  private(set) var blocks: [Block] = []

  init(_ file: SourceFile) {
    var open: Block?
    for (offset, line) in file.lines.enumerated() {
      let trimmed = line.drop { $0 == " " }
      if trimmed.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          open = nil
        } else {
          open = Block(language: String(trimmed.dropFirst(3)), firstLine: offset + 2)
        }
      } else if open != nil {
        open?.lines.append(line)
      } else {
        prose.append(Line(number: offset + 1, text: line))
      }
    }
    // A fence that nobody closed still holds what follows it.
    if let block = open { blocks.append(block) }
  }

  /// The page's headings as links name them: lower case, hyphens for spaces, no punctuation.
  var anchors: Set<String> {
    Set(
      prose.filter { $0.text.hasPrefix("#") }.map { line in
        String(
          line.text.drop { $0 == "#" || $0 == " " }.lowercased().compactMap { character in
            if character == " " { return "-" }
            return character.isLetter || character.isNumber || "-_".contains(character)
              ? character : nil
          })
      })
  }
}
