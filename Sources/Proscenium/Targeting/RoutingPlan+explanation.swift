// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

extension RoutingPlan {
  private static let listedTermLimit = 8

  /// How the predicate is entered and what a decision pays for it, in lines for people.
  package var explanation: String {
    switch entry() {
    case .everything:
      return """
        none: it holds for every identifier, and the best of such sessions is at hand
        cost: one comparison
        """
    case .nothing: return "none: it holds for no identifier\ncost: nothing"
    case .residual:
      return """
        residual list: it has no text that every matching identifier contains
        cost: one evaluation for every identifier, however many sessions have the predicate
        """
    case .terms(let references):
      var lines = references.prefix(Self.listedTermLimit).map(Self.line)
      if references.count > Self.listedTermLimit {
        lines.append("and \(references.count - Self.listedTermLimit) more")
      }
      lines.append("cost: " + Self.cost(references))
      return lines.joined(separator: "\n")
    }
  }

  private static func line(_ reference: Reference) -> String {
    let term = reference.term
    let structure =
      switch term.position {
      case .whole: "table of whole identifiers"
      case .beginning: "table of beginnings"
      case .ending: "table of endings"
      case .anywhere: "table of grams, for what identifiers contain"
      }
    // As the canonical string would write it.
    let text = String(decoding: term.text, as: UTF8.self)
    let literal = (try? ContentPredicate.equals(text).description.dropFirst(8)).map(String.init)
    let letters = [
      term.options.contains(.caseInsensitive) ? "c" : "",
      term.options.contains(.diacriticInsensitive) ? "d" : "",
    ]
    let space = term.options.isEmpty ? "" : ", folded as [\(letters.joined())] says"
    let role = reference.decides ? "" : "; a hint, then evaluated"
    return "\(structure): \(literal ?? "a text of \(term.text.count) bytes")\(space)\(role)"
  }

  private static func cost(_ references: [Reference]) -> String {
    let options = Set(references.map(\.term.options)).subtracting([[]])
    var parts = ["one look-up in each of these tables"]
    if !options.isEmpty { parts.append("folding every identifier") }
    if references.contains(where: { !$0.decides }) {
      parts.append("one evaluation where a hint is found")
    }
    return parts.joined(separator: ", ")
  }
}
