// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

extension RoutingExplanation: CustomStringConvertible {
  /// The explanation as text for people: the decision, then a few lines for each candidate.
  public var description: String {
    var lines = [Self.quote(identifier) + ": " + decision]
    for (index, candidate) in candidates.enumerated() {
      lines.append("  \(index + 1). \(candidate)")
    }
    let rest = candidateCount - candidates.count
    if rest > 0 { lines.append("  … and \(rest) more") }
    return lines.joined(separator: "\n")
  }

  private var decision: String {
    guard let session, let decidedBy else { return "\(rule), a new session. " + ruleText }
    let name = Self.printable(session.description)
    return "\(rule), session \(name). \(ruleText) \(text(decidedBy))"
  }

  private var ruleText: String {
    let count = candidateCount
    let sessions = count == 1 ? "1 session" : "\(count) sessions"
    switch rule {
    case .single: return "Multiple scenes are not supported; conditions do not count."
    case .recent: return "Without an identifier every session of the role comes into question."
    case .prefers: return count == 1 ? "1 session prefers it." : "\(sessions) prefer it."
    case .can: return "None prefers it; \(sessions) can show it."
    case .new: return "No open session comes into question."
    case .forced: return "No session can show it, and there is no place for a new one."
    }
  }

  private func text(_ tieBreak: RoutingTieBreak) -> String {
    switch tieBreak {
    case .onlyCandidate: "It is the only candidate."
    case .source: "The event came from it."
    case .state: stateText
    case .activation: "Of those in its state it was active last."
    case .identifier: "State and activation are equal; its name is the smallest."
    }
  }

  private var stateText: String {
    guard candidates.count > 1 else { return "No other is in so good a state." }
    return "Its state decided: \(candidates[0].stateName) before \(candidates[1].stateName)."
  }

  private static func quote(_ identifier: String?) -> String {
    identifier.map { shortened($0.debugDescription) } ?? "no identifier"
  }

  /// A name as it is if it fits in a line of text, else in quotes.
  fileprivate static func printable(_ name: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0.value > 0x20 && !(0x7F..<0xA0).contains($0.value)
      }
    return shortened(isPlain ? name : name.debugDescription)
  }

  /// The beginning of a text that would fill the screen.
  fileprivate static func shortened(_ text: String) -> String {
    text.count > 200 ? text.prefix(200) + "…" : text
  }
}

extension RoutingExplanation.Candidate: CustomStringConvertible {
  /// The session, its place in the tie-break, and what matched.
  public var description: String {
    var text = RoutingExplanation.printable(session.description)
    text += " (\(stateName), last activated \(lastActivated)\(isSource ? ", source" : ""))"
    guard let match else { return text }
    let predicate = RoutingExplanation.shortened(match.predicate.description)
    text += " \(match.condition) \(predicate)"
    if match.part != match.predicate {
      text += "\n     matched " + RoutingExplanation.shortened(match.part.description)
    }
    return text
  }
}
