// SPDX-License-Identifier: Apache-2.0

/// Puts the values of build settings in the place of their names, `$(NAME)` or `${NAME}`.
struct BuildSettings: Sendable {
  private let values: [String: String]

  init(_ values: [String: String]) {
    self.values = values
  }

  /// Resolves the names in a text, once: what a value contains is left alone.
  func resolve(_ text: String) -> String {
    guard !values.isEmpty else { return text }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let dollar = rest.firstIndex(of: "$") {
      result.unicodeScalars += rest[..<dollar]
      rest = rest[dollar...]
      if let end = Self.nameEnd(in: rest),
        let value = values[String(rest[..<end].dropFirst(2))]
      {
        result += value
        rest = rest[end...].dropFirst()
      } else {
        result.unicodeScalars.append("$")
        rest = rest.dropFirst()
      }
    }
    result.unicodeScalars += rest
    return result
  }

  /// The end of the name at the beginning of a text, where its closing parenthesis is.
  private static func nameEnd(in text: Substring.UnicodeScalarView) -> String.Index? {
    let closing: Unicode.Scalar
    switch text.dropFirst().first {
    case "(": closing = ")"
    case "{": closing = "}"
    default: return nil
    }
    let end = text.dropFirst(2).firstIndex { $0 == closing || $0 == "$" }
    return end.flatMap { text[$0] == closing ? $0 : nil }
  }
}
