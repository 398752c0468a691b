// SPDX-License-Identifier: Apache-2.0

package import ProsceniumPredicate

/// How the index finds a predicate without evaluating it for every identifier.
///
/// A predicate is entered under texts of its own, such that at least one of them lies in every
/// identifier for which it holds. Where such a text alone decides, nothing is evaluated; elsewhere
/// it is a hint. A predicate without such texts, as `SELF != "a"`, has to be evaluated for every
/// identifier.
package struct RoutingPlan: Sendable {
  /// What has to be entered so that a predicate, or a part of it, is found.
  indirect enum Cover: Sendable {
    /// It always holds.
    case everything
    /// It never does.
    case nothing
    /// It may hold for identifiers that have no text in common.
    case unbounded
    case term(RoutingTerm)
    /// All of these: the parts of an OR.
    case every([Cover])
    /// One of these, rather the rarest: the parts of an AND, or the texts between wildcards.
    case rarest([Cover])
  }

  /// What is entered in the end.
  enum Entry: Sendable {
    case everything
    case nothing
    /// One by one: evaluated for every identifier.
    case residual
    case terms([Reference])
  }

  /// A term, and whether it decides alone.
  struct Reference: Sendable, Hashable {
    let term: RoutingTerm
    let decides: Bool
  }

  let cover: Cover

  /// Makes the plan of a predicate; its size does not matter, since predicates are small.
  package init(_ predicate: ContentPredicate) {
    cover = Self.cover(predicate.expression, isNegated: false)
  }

  /// Chooses what to enter.
  ///
  /// - Parameter load: How many predicates are entered under a term already.
  /// - Returns: The terms, each of them once, or that there are none.
  func entry(load: (RoutingTerm) -> Int = { _ in 0 }) -> Entry {
    switch cover {
    case .everything: return .everything
    case .nothing: return .nothing
    case .unbounded: return .residual
    case .term(let term): return .terms([Reference(term: term, decides: true)])
    case .every, .rarest:
      var decisive: [RoutingTerm: Bool] = [:]
      var order: [RoutingTerm] = []
      Self.collect(cover, decides: true, load) { term, decides in
        if let known = decisive[term] {
          decisive[term] = known || decides
        } else {
          decisive[term] = decides
          order.append(term)
        }
      }
      return .terms(order.map { Reference(term: $0, decides: decisive[$0] ?? false) })
    }
  }

  private static func collect(
    _ cover: Cover, decides: Bool, _ load: (RoutingTerm) -> Int,
    _ body: (RoutingTerm, Bool) -> Void
  ) {
    switch cover {
    case .everything, .nothing, .unbounded: break
    case .term(let term): body(term, decides)
    case .every(let parts):
      for part in parts { collect(part, decides: decides, load, body) }
    case .rarest(let parts):
      let rarest = parts.map { ($0, weight($0, load)) }.min { $0.1 < $1.1 }
      if let rarest { collect(rarest.0, decides: false, load, body) }
    }
  }

  /// How much is found under a cover: first what is entered there, then how broad it looks.
  private static func weight(
    _ cover: Cover, _ load: (RoutingTerm) -> Int
  ) -> (load: Int, breadth: Int) {
    switch cover {
    case .everything, .nothing, .unbounded: return (0, 0)
    case .term(let term): return (load(term), term.breadth)
    case .every(let parts):
      return parts.reduce((0, 0)) { sum, part in
        let weight = weight(part, load)
        return (sum.0 + weight.load, sum.1 + weight.breadth)
      }
    case .rarest(let parts):
      return parts.map { weight($0, load) }.min { $0 < $1 } ?? (0, 0)
    }
  }
}

// MARK: - Covers

extension RoutingPlan {
  private static func cover(_ expression: PredicateExpression, isNegated: Bool) -> Cover {
    switch expression {
    case .constant(let value): value == isNegated ? .nothing : .everything
    case .not(let part, let times):
      cover(part, isNegated: isNegated == times.isMultiple(of: 2))
    case .and(let parts):
      isNegated ? coverOfAny(parts, isNegated: true) : coverOfAll(parts, isNegated: false)
    case .or(let parts):
      isNegated ? coverOfAll(parts, isNegated: true) : coverOfAny(parts, isNegated: false)
    case .comparison(let comparison): cover(comparison, isNegated: isNegated)
    }
  }

  private static func coverOfAll(_ parts: [PredicateExpression], isNegated: Bool) -> Cover {
    var choices: [Cover] = []
    var isBounded = true
    for part in parts {
      switch cover(part, isNegated: isNegated) {
      case .everything: continue
      case .nothing: return .nothing
      case .unbounded: isBounded = false
      case let choice: choices.append(choice)
      }
    }
    if choices.isEmpty { return isBounded ? .everything : .unbounded }
    return isBounded && choices.count == 1 ? choices[0] : .rarest(choices)
  }

  private static func coverOfAny(_ parts: [PredicateExpression], isNegated: Bool) -> Cover {
    var covers: [Cover] = []
    var isBounded = true
    for part in parts {
      switch cover(part, isNegated: isNegated) {
      case .everything: return .everything
      case .nothing: continue
      case .unbounded: isBounded = false
      case let cover: covers.append(cover)
      }
    }
    if !isBounded { return .unbounded }
    return covers.count == 1 ? covers[0] : covers.isEmpty ? .nothing : .every(covers)
  }

  private static func cover(_ comparison: Comparison, isNegated: Bool) -> Cover {
    switch (comparison.relation, comparison.left, comparison.right) {
    case (_, let left, let right) where !left.namesSubject && !right.namesSubject:
      // Without the subject it is the same for every identifier.
      var folded = FoldedSubject()
      let holds = comparison.evaluate("".utf8.span, &folded)
      return holds == isNegated ? .nothing : .everything
    case (.equal, .subject, .text(let text)) where !isNegated,
      (.equal, .text(let text), .subject) where !isNegated,
      (.notEqual, .subject, .text(let text)) where isNegated,
      (.notEqual, .text(let text), .subject) where isNegated:
      return .term(term(.whole, comparison, text))
    case _ where isNegated: return .unbounded
    case (.beginsWith, .subject, .text(let text)):
      return coverOfPart(term(.beginning, comparison, text))
    case (.endsWith, .subject, .text(let text)):
      return coverOfPart(term(.ending, comparison, text))
    case (.contains, .subject, .text(let text)), (.isIn, .text(let text), .subject):
      return coverOfPart(term(.anywhere, comparison, text))
    case (.contains, .list(let list), let element), (.isIn, let element, .list(let list)):
      return coverOfEquality(element, list, comparison)
    case (.like, .subject, .text(let pattern)): return coverOfPattern(pattern, comparison)
    default: return .unbounded
    }
  }

  private static func term(
    _ position: RoutingTerm.Position, _ comparison: Comparison, _ text: LiteralText
  ) -> RoutingTerm {
    RoutingTerm(position, comparison.options, text.matched)
  }

  /// An empty text to look for is never found.
  private static func coverOfPart(_ term: RoutingTerm) -> Cover {
    term.text.isEmpty ? .nothing : .term(term)
  }

  /// The equality of an operand with any element of a list.
  private static func coverOfEquality(
    _ element: Comparison.Operand, _ list: [Comparison.Operand], _ comparison: Comparison
  ) -> Cover {
    coverOfAny(
      list.map {
        .comparison(
          Comparison(left: element, relation: .equal, options: comparison.options, right: $0))
      }, isNegated: false)
  }

  private static func coverOfPattern(_ pattern: LiteralText, _ comparison: Comparison) -> Cover {
    let options = comparison.options
    let parts = LikePattern(resolved: pattern.matched).parts
    var texts: [Cover] = []
    for (index, part) in parts.enumerated() {
      guard case .text(let text) = part else { continue }
      let position: RoutingTerm.Position =
        switch (index == 0, index == parts.count - 1) {
        case (true, true): .whole
        case (true, false): .beginning
        case (false, true): .ending
        case (false, false): .anywhere
        }
      texts.append(.term(RoutingTerm(position, options, text)))
    }
    if parts.isEmpty { return .term(RoutingTerm(.whole, options, [])) }
    if parts == [.anyRun] { return .everything }
    if texts.isEmpty { return .unbounded }
    // With runs alone around it, the text decides.
    let isDecided = texts.count == 1 && !parts.contains(.anyOne)
    return isDecided ? texts[0] : .rarest(texts)
  }
}

extension Comparison.Operand {
  fileprivate var namesSubject: Bool {
    switch self {
    case .subject: true
    case .text: false
    case .list(let list): list.contains(.subject)
    }
  }
}
