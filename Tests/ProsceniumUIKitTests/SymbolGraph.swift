// SPDX-License-Identifier: Apache-2.0

/// The public symbols of a module, as the compiler sees them.
struct SymbolGraph: Sendable {
  /// Where a symbol may be used.
  enum Isolation: String, Sendable {
    case mainActor = "main actor"
    case nonisolated = "none"
  }

  /// What there is under one name; a function may be there in several forms.
  struct Symbol: Sendable {
    /// How the forms are isolated, those with no word of their own as their type.
    var isolations: Set<Isolation> = []
    /// The files that declare it.
    var files: Set<String> = []
  }

  /// By the full name, such as `UIScene.ActivationState.background`.
  private(set) var symbols: [String: Symbol] = [:]

  /// The names of classes' superclasses.
  private var superclasses: [String: String] = [:]

  /// Takes a graph over as the tool writes it.
  init(_ file: File) {
    let names = Dictionary(
      file.symbols.map { ($0.identifier.precise, $0.name) }, uniquingKeysWith: { name, _ in name })
    for relationship in file.relationships where relationship.kind == "inheritsFrom" {
      guard let name = names[relationship.source] else { continue }
      superclasses[name] = names[relationship.target]
    }
    let types = Set(file.symbols.filter { $0.isType && $0.isolation == .mainActor }.map(\.name))
    for symbol in file.symbols {
      let inherited: Isolation =
        types.contains(Self.owner(of: symbol.name)) ? .mainActor : .nonisolated
      let isolation = symbol.isolation ?? (symbol.isType ? .nonisolated : inherited)
      symbols[symbol.name, default: Symbol()].isolations.insert(isolation)
      if let uri = symbol.location?.uri { symbols[symbol.name]?.files.insert(uri) }
    }
  }

  /// The symbol with a name, in its type or in one of the superclasses.
  subscript(name: String) -> Symbol? {
    var owner = Self.owner(of: name)
    let member = name.dropFirst(owner.count)
    while true {
      if let found = symbols[owner + member] { return found }
      guard let next = superclasses[owner] else { return nil }
      owner = next
    }
  }

  /// The name of the type that a symbol is in; empty for what is in none.
  static func owner(of name: String) -> String {
    name.split(separator: ".").dropLast().joined(separator: ".")
  }
}
