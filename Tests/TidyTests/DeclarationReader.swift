// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the public declarations of a Swift file, with their comments, from its lines.
struct DeclarationReader {
  static let types: Set = ["struct", "class", "enum", "actor", "protocol"]

  private struct Scope {
    let depth: Int
    let name: String
    let kind: String
    let isPublic: Bool
  }

  private let file: SourceFile
  private let pattern: Regex<AnyRegexOutput>
  private var scopes: [Scope] = []
  private var pending: Scope?
  private var depth = 0
  private var comment: [String] = []

  init(_ file: SourceFile) throws {
    self.file = file
    pattern = try Regex(
      #"^\s*((?:@\w+(?:\([^)]*\))?\s+|(?:public|package|private|fileprivate|internal|static|final"#
        + #"|indirect|nonisolated|mutating|override|unsafe|\w+\(set\))\s+)*)"#
        + "(struct|class|enum|actor|protocol|typealias|extension|func|init|var|let|subscript|case)"
        + #"\b\s*([\w.]*)"#)
  }

  /// Calls a function with each public symbol, the type that it belongs to, and its name.
  mutating func read(
    _ body: (_ owner: String, _ name: String, PublicSurface.Symbol) -> Void
  ) throws {
    for (index, line) in file.code.enumerated() {
      let text = file.lines[index].drop { $0 == " " }
      if text.hasPrefix("///") {
        comment.append(String(text.dropFirst(3).drop { $0 == " " }))
        continue
      }
      if let match = try pattern.firstMatch(in: line) {
        let modifiers = Set(match[1].substring?.split(separator: " ").map(String.init) ?? [])
        let kind = String(match[2].substring ?? "")
        let name = String(match[3].substring ?? "")
        let isPublic = isPublic(kind, modifiers)
        if isPublic, kind != "extension", kind != "typealias" {
          let symbol = PublicSurface.Symbol(
            kind: kind, declaration: declaration(at: index, kind), summary: summary)
          body(scopes.map(\.name).joined(separator: "."), name, symbol)
        }
        if Self.types.contains(kind) || kind == "extension" {
          pending = Scope(depth: depth, name: name, kind: kind, isPublic: isPublic)
        }
      }
      if !text.hasPrefix("@") || text.contains(" ") { comment = [] }
      follow(line)
    }
  }

  private func isPublic(_ kind: String, _ modifiers: Set<String>) -> Bool {
    if modifiers.contains("public") { return true }
    guard let scope = scopes.last, depth == scope.depth + 1, scope.isPublic else { return false }
    switch scope.kind {
    case "protocol": return !Self.types.contains(kind)
    case "enum": return kind == "case"
    default: return false
    }
  }

  /// Follows the braces of a line into types and out of them.
  private mutating func follow(_ line: String) {
    for byte in line.utf8 {
      if byte == UInt8(ascii: "{") {
        if let scope = pending { scopes.append(scope) }
        pending = nil
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        while let scope = scopes.last, scope.depth >= depth { scopes.removeLast() }
      }
    }
  }

  /// The first sentence of the comment.
  private var summary: String {
    let paragraph = comment.prefix { !$0.isEmpty && !$0.hasPrefix("- ") }.joined(separator: " ")
    let end = paragraph.range(of: ". ")?.lowerBound ?? paragraph.endIndex
    let sentence = paragraph[..<end] + (end == paragraph.endIndex ? "" : ".")
    // Sections of the specification are cited for those who read the source.
    let plain = sentence.replacing(/\s\((?:section |semantics#)[^)]*\)/, with: "")
    return plain.split(separator: "``", omittingEmptySubsequences: false).enumerated().map {
      $0.offset.isMultiple(of: 2) ? String($0.element) : "`\($0.element.replacing("/", with: "."))`"
    }.joined()
  }

  /// The declaration that begins on a line, up to its body or its end, on one line.
  private func declaration(at start: Int, _ kind: String) -> String {
    var text = ""
    var brackets = 0
    for index in start..<file.code.count {
      let (line, code) = (file.lines[index], file.code[index])
      var end = code.utf8.endIndex
      for position in code.utf8.indices {
        switch code.utf8[position] {
        case UInt8(ascii: "("), UInt8(ascii: "["): brackets += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"): brackets -= 1
        case UInt8(ascii: "{") where brackets == 0: end = min(end, position)
        default: break
        }
      }
      text +=
        " "
        + String(
          decoding: line.utf8.prefix(
            code.utf8.distance(
              from: code.utf8.startIndex, to: end)), as: UTF8.self)
      if end != code.utf8.endIndex || brackets == 0 && !continues(file.code.dropFirst(index + 1)) {
        break
      }
    }
    return tidied(text, kind)
  }

  private func continues(_ rest: ArraySlice<String>) -> Bool {
    guard let word = rest.first?.split(separator: " ").first else { return false }
    return ["{", "where", "->", "async", "throws", ")"].contains { word.hasPrefix($0) }
  }

  private func tidied(_ text: String, _ kind: String) -> String {
    let hidden: Set<Substring> = ["public", "nonisolated", "final", "package(set)", "private(set)"]
    var words = Array(text.split(separator: " ").drop { $0.hasPrefix("@") })
      .filter { !hidden.contains($0) && $0 != "@escaping" }
    // The value of a constant says little; that of a variable is its default.
    if kind == "let" || words.last == "=", let sign = words.firstIndex(of: "=") {
      words = Array(words[..<sign])
    }
    return words.joined(separator: " ").replacing("( ", with: "(").replacing(" )", with: ")")
  }

  /// The parameters between the outer brackets at the beginning of a text.
  static func parts(of text: Substring) -> [Substring] {
    var parts: [Substring] = []
    var depth = 0
    var start = text.startIndex
    for index in text.indices {
      switch text[index] {
      case "(", "[":
        depth += 1
        if depth == 1 { start = text.index(after: index) }
      case ")", "]":
        depth -= 1
        if depth == 0 { return parts + [text[start..<index]] }
      case "," where depth == 1:
        parts.append(text[start..<index])
        start = text.index(index, offsetBy: 2, limitedBy: text.endIndex) ?? text.endIndex
      default: break
      }
    }
    return parts
  }
}
