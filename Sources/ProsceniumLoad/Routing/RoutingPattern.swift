// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// A kind of predicate on web addresses, and the addresses that it holds for.
///
/// A predicate is made from one key, and holds for the addresses of that key only; the predicates
/// of other kinds hold for none of them.
enum RoutingPattern: CaseIterable, Sendable {
  case exact, prefix, suffix, like, contains

  private static let site = "https://clowntown.example.com"

  /// The predicate of a key.
  func predicate(_ key: String) throws(PredicateFormatError) -> ContentPredicate {
    switch self {
    case .exact: try .equals(identifier(key, ""))
    case .prefix: try .hasPrefix("\(Self.site)/u/\(key)/")
    case .suffix: try ContentPredicate(format: "SELF ENDSWITH %@", "/\(key).html")
    case .like:
      try ContentPredicate(format: "SELF LIKE %@", "https://*.example.com/a/\(key)/*")
    case .contains: try ContentPredicate(format: "SELF CONTAINS %@", "/item-\(key)/")
    }
  }

  /// An address that the predicate of a key holds for.
  ///
  /// - Parameters:
  ///   - key: The predicate's key.
  ///   - end: Text at the end, by which the addresses under one prefix differ.
  /// - Returns: A text in storage of its own, of just its length; an exact one has 45 bytes.
  func identifier(_ key: String, _ end: String) -> String {
    let text =
      switch self {
      case .exact: "\(Self.site)/tab/\(key)"
      case .prefix: "\(Self.site)/u/\(key)/\(end)"
      case .suffix: "\(Self.site)/p/\(key).html"
      case .like: "\(Self.site)/a/\(key)/1"
      case .contains: "\(Self.site)/item-\(key)/v"
      }
    return String(decoding: Array(text.utf8), as: UTF8.self)
  }
}
