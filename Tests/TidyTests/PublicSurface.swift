// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The public symbols of a module, as its sources declare them, and the page that shows them.
struct PublicSurface {
  struct Symbol {
    let kind: String
    /// The declaration without its attributes, `public` and body.
    let declaration: String
    /// The first sentence of the comment.
    let summary: String

    var line: String { "- `\(declaration)`" + (summary.isEmpty ? "" : ": \(summary)") }

    /// What tells a function from the others of its type: its name and its labels.
    var signature: String {
      guard let open = declaration.firstIndex(of: "(") else { return declaration }
      let labels = DeclarationReader.parts(of: declaration[open...]).map { part in
        part.prefix { $0 != ":" && $0 != " " }
      }
      return declaration[..<open] + labels.joined(separator: ":")
    }
  }

  struct Entry {
    var head: Symbol?
    var members: [Symbol] = []
  }

  /// By the name of the type, with those that it is nested in before it.
  private(set) var entries: [String: Entry] = [:]

  init(of folder: String, in tree: SourceTree) throws {
    for file in tree.files where file.isSwift && file.path.hasPrefix(folder) {
      var reader = try DeclarationReader(file)
      try reader.read { owner, name, symbol in
        if DeclarationReader.types.contains(symbol.kind) {
          let path = (owner.isEmpty ? "" : owner + ".") + name
          entries[path, default: Entry()].head = symbol
        } else {
          entries[owner, default: Entry()].members.append(symbol)
        }
      }
    }
    for name in entries.keys { entries[name]?.dropDefaults() }
  }

  /// The names of the types, each before those that it has within.
  var names: [String] { entries.filter { $0.value.head != nil }.keys.sorted() }

  var typeCount: Int { names.count }

  /// How many functions there are to learn: callbacks are not called, but written.
  var functionCount: Int {
    entries.filter { !Self.callbacks.contains($0.key) }
      .reduce(0) { $0 + $1.value.members.count { $0.kind == "func" } }
  }

  private static let callbacks: Set = [
    "SceneDelegate", "ApplicationDelegate", "ConfiguringApplicationDelegate",
  ]

  var page: String {
    var text = """
      # API of `Proscenium`

      Every public type with its members, each with the sentence that sums it up: \(typeCount) types
      and \(functionCount) functions, without the callbacks of delegates, which a program writes and
      does not call. The sources say the rest: limits, errors, order.

      A test compares this page with the sources. To write it again:
      `PROSCENIUM_WRITE_API=1 swift test --filter APIPage`

      """
    for name in names {
      guard let entry = entries[name], let head = entry.head else { continue }
      text += "\n## \(name)\n\n`\(head.declaration)`: \(head.summary)\n"
      if !entry.members.isEmpty { text += "\n" }
      for member in entry.sorted { text += member.line + "\n" }
    }
    return text
  }
}

extension PublicSurface.Entry {
  private static let order = ["case", "static", "init", "var", "subscript", "func"]

  private static func rank(_ symbol: PublicSurface.Symbol) -> Int {
    if symbol.declaration.hasPrefix("static") { return 1 }
    return order.firstIndex(of: symbol.kind == "let" ? "var" : symbol.kind) ?? order.count
  }

  /// The members by kind and name; cases in their own order, which may mean something.
  var sorted: [PublicSurface.Symbol] {
    members.enumerated().sorted { left, right in
      let (one, other) = (Self.rank(left.element), Self.rank(right.element))
      if one != other { return one < other }
      if one == 0 { return left.offset < right.offset }
      return (left.element.declaration, left.offset) < (right.element.declaration, right.offset)
    }.map(\.element)
  }

  /// A requirement of a protocol and its default are one thing.
  mutating func dropDefaults() {
    guard head?.kind == "protocol" else { return }
    var seen: Set<String> = []
    members = members.filter { $0.kind != "func" || seen.insert($0.signature).inserted }
  }
}
