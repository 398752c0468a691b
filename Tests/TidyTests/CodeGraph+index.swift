// SPDX-License-Identifier: Apache-2.0

extension CodeGraph {
  /// Reads the graph of the files below a folder, whose parts are the targets.
  init(_ index: CodeIndex, of tree: SourceTree, below sources: String) {
    func isSource(_ path: String) -> Bool { path.hasPrefix(sources) }
    func short(_ path: String) -> String { String(path.dropFirst(sources.count)) }
    for file in tree.files where file.isSwift && isSource(file.path) {
      lines[short(file.path)] = file.lines.count
    }
    for use in index.uses {
      guard let path = index.definitions[use.symbol]?.path, path != use.path else { continue }
      let (user, used) = (short(use.path), short(path))
      guard Self.target(of: user) == Self.target(of: used) else { continue }
      let key = Use(user: user, used: used, symbol: index.name(of: use.symbol))
      uses[key, default: Site(line: use.line, count: 0)].count += 1
    }
    var methods: [String: Int] = [:]
    for definition in index.definitions.values where definition.isMethod {
      methods[index.type(of: definition.parent), default: 0] += 1
    }
    let lengths = Self.lengths(index, tree)
    let conformances = Dictionary(grouping: index.conformances, by: \.base)
    for (symbol, definition) in index.definitions where definition.isType {
      var type = NominalType(
        name: index.name(of: symbol), path: short(definition.path),
        methods: methods[symbol] ?? 0, lines: lengths[symbol] ?? 0,
        isProtocol: definition.isProtocol)
      var pending = [symbol]
      while type.isProtocol, let base = pending.popLast() {
        for conformance in conformances[base] ?? [] {
          let conformer = index.type(of: conformance.conformer)
          if index.definitions[conformer]?.isProtocol == true {
            pending.append(conformer)
          } else if isSource(conformance.path) {
            type.conformers.insert(index.name(of: conformer))
          } else {
            type.otherConformers.insert(index.name(of: conformer))
          }
        }
      }
      types.append(type)
    }
  }

  /// The lines of each type and its extensions, without those of types inside.
  private static func lengths(_ index: CodeIndex, _ tree: SourceTree) -> [String: Int] {
    var lengths: [String: Int] = [:]
    let files = Dictionary(uniqueKeysWithValues: tree.files.map { ($0.path, $0.code) })
    let blocks = index.definitions.filter { $0.value.isType || $0.value.isExtension }
    for (path, blocks) in Dictionary(grouping: blocks, by: \.value.path) {
      var owners: [Int: String] = [:]
      // The blocks inside others come later, and take their lines.
      for (symbol, block) in blocks.sorted(by: { $0.value.line < $1.value.line }) {
        let start = block.line - 1
        for line in start...lastLine(of: start, in: files[path] ?? []) {
          owners[line] = index.type(of: symbol)
        }
      }
      for owner in owners.values { lengths[owner, default: 0] += 1 }
    }
    return lengths
  }

  /// The line of the brace that ends what begins on a line of formatted code.
  private static func lastLine(of start: Int, in code: [String]) -> Int {
    guard code.indices.contains(start) else { return start }
    let end = code[start].prefix { $0 == " " } + "}"
    if code[start].last(where: { $0 != " " }) == "}" { return start }
    return code[start...].firstIndex { $0.hasPrefix(end) } ?? start
  }
}

/// Kinds as `indexstore_symbol_kind_t` numbers them.
extension CodeIndex.Definition {
  var isProtocol: Bool { kind == 8 }
  var isExtension: Bool { kind == 9 }
  /// Whether it is an enumeration, a structure, a class or a protocol.
  var isType: Bool { (5...8).contains(kind) }
  /// Whether it is a method or an initializer that is written.
  var isMethod: Bool { [16, 17, 18, 22].contains(kind) && !isImplicit }
}
