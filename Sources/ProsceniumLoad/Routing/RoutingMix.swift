// SPDX-License-Identifier: Apache-2.0

/// The kinds of conditions that the sessions of a measured router have.
public enum RoutingMix: String, CaseIterable, Sendable {
  /// Every session prefers one identifier.
  case exact
  /// Every session *can* show one identifier only, and prefers nothing.
  case exactCan
  /// 95 % prefer one identifier, 5 % the identifiers under one of 1,000 prefixes.
  case exactAndPrefix
  /// 70 % prefer one identifier, 20 % a prefix, 5 % a suffix, 5 % a LIKE pattern.
  case mixed
  /// The same with CONTAINS for 5 % of the sessions, in the place of exact ones.
  case mixedWithContains

  /// What the mix is called in a report.
  public var title: String {
    switch self {
    case .exact: "exact"
    case .exactCan: "exact, as can"
    case .exactAndPrefix: "exact + prefix"
    case .mixed: "mixed"
    case .mixedWithContains: "mixed, 5 % CONTAINS"
    }
  }

  /// How many keys the prefixes have: that many sessions at most prefer different ones.
  var prefixCount: Int { self == .exactAndPrefix ? 1_000 : .max }

  /// The kind of a session's predicate.
  ///
  /// Every hundred sessions that follow one another have exactly the shares of the mix.
  func pattern(ofSession index: Int) -> RoutingPattern {
    let percent = index * 37 % 100
    switch self {
    case .exact, .exactCan: return .exact
    case .exactAndPrefix: return percent < 95 ? .exact : .prefix
    case .mixed, .mixedWithContains:
      let shares: [(RoutingPattern, Int)] = [
        (.exact, self == .mixed ? 70 : 65), (.prefix, 20), (.suffix, 5), (.like, 5), (.contains, 5),
      ]
      var bound = 0
      for (pattern, share) in shares {
        bound += share
        if percent < bound { return pattern }
      }
      return .exact
    }
  }
}
