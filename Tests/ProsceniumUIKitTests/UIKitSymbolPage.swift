// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The tables of `Docs/UIKIT-SYMBOLS.md`: what UIKit has, and what of it the module has.
struct UIKitSymbolPage: Sendable {
  enum State: String, Sendable {
    case asUIKit = "as UIKit"
    case stub
    case missing
  }

  struct Row: Sendable {
    let line: Int
    /// The full names, such as `UIScene.title`.
    let names: [String]
    /// The isolation here; where it is not UIKit's, the row says both.
    let isolation: SymbolGraph.Isolation?
    let state: State?
  }

  static let path = "Docs/UIKIT-SYMBOLS.md"

  private(set) var rows: [Row] = []

  /// The types with a table of their own.
  private(set) var types: Set<String> = []

  /// Reads the page of the repository.
  init() throws {
    let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    self.init(try String(contentsOf: root.appendingPathComponent(Self.path), encoding: .utf8))
  }

  /// Reads the text of a page.
  ///
  /// The heading of a table is a type, and its names are members of the type or the type itself.
  /// Under a heading of several words they are full names.
  init(_ text: String) {
    var heading: Substring?
    for (offset, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.hasPrefix("## ") {
        heading = line.dropFirst(3)
        if let heading, !heading.contains(" ") { types.insert(String(heading)) }
      } else if let heading, line.hasPrefix("| `") {
        rows.append(Self.row(of: line, under: heading, number: offset + 1))
      }
    }
  }

  private static func row(of line: Substring, under heading: Substring, number: Int) -> Row {
    let cells = line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let names = cells[0].split(separator: "`").enumerated().filter { $0.offset.isMultiple(of: 2) }
      .map {
        $0.element == heading || heading.contains(" ")
          ? "\($0.element)" : "\(heading).\($0.element)"
      }
    let isolation = cells.dropFirst().first?.components(separatedBy: "; here ").last
    return Row(
      line: number, names: names,
      isolation: isolation.flatMap(SymbolGraph.Isolation.init),
      state: cells.count > 4 ? State(rawValue: cells[3]) : nil)
  }
}
