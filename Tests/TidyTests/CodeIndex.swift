// SPDX-License-Identifier: Apache-2.0

import CIndexStore
import Foundation

/// What the compiler recorded about the files of the package when it compiled them.
struct CodeIndex: Sendable {
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  struct Definition: Sendable {
    let path: String
    let line: Int
    /// A number of `indexstore_symbol_kind_t`.
    let kind: Int
    let isImplicit: Bool
    let name: String
    let parent: String
  }

  /// The folder of the package, as the compiler saw it.
  private static let root = String(#filePath.dropLast("Tests/TidyTests/CodeIndex.swift".count))

  /// When each file was compiled last.
  private(set) var times: [String: Date] = [:]
  /// By the symbol, as all that follows.
  private(set) var definitions: [String: Definition] = [:]
  private(set) var uses: [(path: String, line: Int, symbol: String)] = []
  private(set) var conformances: [(path: String, base: String, conformer: String)] = []
  /// The type of each extension.
  private(set) var extended: [String: String] = [:]

  /// Reads the index of the build that these tests are part of.
  ///
  /// - Parameters:
  ///   - sources: The folder whose definitions and uses are read, with a `/` at its end.
  ///   - paths: The files that there are; the index remembers others.
  /// - Throws: A ``Problem`` where there is no index, or no library that reads it.
  init(sources: String, paths: Set<String>) throws {
    let program = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
    let store = program.deletingLastPathComponent().appendingPathComponent("index/store")
    guard let text = unsafe index_read(store.path, Self.root, sources) else {
      throw Problem(description: "There is no memory for the index.")
    }
    defer { unsafe free(text) }
    try self.init(text: unsafe String(cString: text), paths: paths)
  }

  /// Reads lines as `index_read` returns them.
  init(text: String, paths: Set<String>) throws {
    var path: String?
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: "\t")).map { String(Substring($0)) }
      switch (fields[0], path) {
      case ("error", _): throw Problem(description: fields[1])
      case ("unit", _):
        path = paths.contains(fields[1]) ? fields[1] : nil
        times[fields[1]] = Date(timeIntervalSince1970: Double(fields[2])! / 1e9)
      case ("extension", _): extended[fields[2]] = fields[1]
      case ("conformance", let path?): conformances.append((path, fields[1], fields[2]))
      case ("use", let path?): uses.append((path, Int(fields[1])!, fields[2]))
      case ("definition", let path?):
        definitions[fields[5]] = Definition(
          path: path, line: Int(fields[1])!, kind: Int(fields[2])!,
          isImplicit: fields[3] == "implicit", name: fields[4], parent: fields[6])
      default: break
      }
    }
  }

  /// A symbol's type, if it is an extension; otherwise itself.
  func type(of symbol: String) -> String { extended[symbol] ?? symbol }

  /// The name of a symbol with those of the types around it.
  func name(of symbol: String) -> String {
    guard let definition = definitions[symbol] else { return symbol }
    let parent = type(of: definition.parent)
    return definitions[parent] == nil ? definition.name : "\(name(of: parent)).\(definition.name)"
  }

  /// The files that changed after they were compiled, or were not compiled.
  func outdated(_ files: [String]) -> [String] {
    files.filter { path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: Self.root + path)
      guard let time = times[path], let changed = attributes?[.modificationDate] as? Date else {
        return true
      }
      return changed > time + 0.001
    }
  }
}
