// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `Docs/UIKIT-SYMBOLS.md` says what the module has of UIKit's life cycle.
@Suite struct UIKitSymbolsTests {
  @Test func `the page and the module agree on every symbol of the life cycle`() async throws {
    let graph = try await SymbolGraph.extracted(from: "ProsceniumUIKit")
    // By its file a symbol is known to belong to the life cycle.
    try #require(graph.symbols["UIScene"]?.files.count == 1)
    let mismatches = try UIKitSymbolPage().mismatches(with: graph)
    #expect(mismatches.isEmpty, "\n\(mismatches.joined(separator: "\n"))")
  }

  @Test(arguments: [
    ("`title` | main actor | 13.0 | as UIKit | |", nil),
    ("`title` | main actor | 13.0 | stub | |", nil),
    ("`title` | none; here main actor | 13.0 | stub | |", nil),
    ("`next` | main actor | 2.0 | stub | of the superclass |", nil),
    ("`name`, `open(_:)` | none | 13.0 | as UIKit | |", nil),
    ("`close()` | none | 13.0 | missing | |", nil),
    ("`title` | main actor | 13.0 | missing | |", "expected no such symbol"),
    ("`title` | none | 13.0 | stub | |", "expected the isolation none, found main actor"),
    ("`name` | main actor | 13.0 | stub | |", "expected the isolation main actor, found none"),
    ("`close()` | none | 13.0 | as UIKit | |", "expected a public symbol"),
    ("`title` | main actor | 13.0 | somewhat | |", "under *here*"),
    ("`title` | anywhere | 13.0 | stub | |", "under *isolation*"),
    ("`title`, `title` | main actor | 13.0 | stub | |", "expected one row"),
  ])
  func `a row is held against the symbol with its name`(row: String, mistake: String?) throws {
    let page = UIKitSymbolPage("# Symbols\n\n| `a` | b |\n\n## UIScene\n\n| \(row)\n")
    let found = page.mismatches(with: try Self.planted()).filter { $0.hasPrefix("Docs/") }
    #expect(found.count == (mistake == nil ? 0 : 1))
    #expect(found.first?.contains(mistake ?? "") != false)
  }

  @Test func `a symbol needs a row if its type has a table or its file is of the life cycle`()
    throws
  {
    let page = UIKitSymbolPage(
      "## UIScene\n\n| `UIScene`, `title` | main actor | 13.0 | stub | |\n")
    let found = page.mismatches(with: try Self.planted()).filter { $0.hasSuffix("found none") }
    let names = found.filter { $0.contains("a row in") }.map { $0.prefix { $0 != ":" } }
    #expect(names == ["`UIScene.name`", "`UIScene.open(_", "`UIStage`"])
  }

  @Test func `names under a heading of several words are full names`() throws {
    let page = UIKitSymbolPage("## Some of them\n\n| `UIScene.title` | none | 13.0 | missing | |\n")
    #expect(page.rows.map(\.names) == [["UIScene.title"]])
    #expect(page.types.isEmpty)
  }

  /// A module with two classes on the main actor, one in the other's chain, and what is in them.
  private static func planted() throws -> SymbolGraph {
    func symbol(_ name: String, _ kind: String, _ words: String, _ folder: String) -> String {
      let fragments = words.split(separator: " ").map { word in
        let kind = word.hasPrefix("@") ? "attribute" : "keyword"
        return #"{"kind": "\#(kind)", "spelling": "\#(word.drop { $0 == "@" })"}"#
      }
      let path = name.split(separator: ".").map { "\"\($0)\"" }.joined(separator: ",")
      let file = "file:///Sources/ProsceniumUIKit/\(folder)/File.swift"
      return #"""
        {"identifier": {"precise": "\#(name)"}, "kind": {"identifier": "swift.\#(kind)"},
         "pathComponents": [\#(path)], "location": {"uri": "\#(file)"},
         "declarationFragments": [\#(fragments.joined(separator: ","))]}
        """#
    }
    let symbols = [
      symbol("UIScene", "class", "@MainActor class", "Scene"),
      symbol("UIScene.title", "property", "var", "Scene"),
      symbol("UIScene.name", "property", "nonisolated let", "Scene"),
      symbol("UIScene.open(_:)", "method", "nonisolated func @MainActor", "Scene"),
      symbol("UIScene.rawValue", "property", "let", "Scene"),
      symbol("UIResponder", "class", "@MainActor class", "Views"),
      symbol("UIResponder.next", "property", "@MainActor var", "Views"),
      symbol("UIView", "class", "@MainActor class", "Views"),
      symbol("UIStage", "struct", "struct", "Scene"),
    ]
    let text = #"""
      {"symbols": [\#(symbols.joined(separator: ","))], "relationships":
       [{"kind": "inheritsFrom", "source": "UIScene", "target": "UIResponder"}]}
      """#
    return SymbolGraph(try JSONDecoder().decode(SymbolGraph.File.self, from: Data(text.utf8)))
  }
}
