// SPDX-License-Identifier: Apache-2.0

import ProsceniumCharts

/// Brings texts that a program or its users chose into the page.
enum PageText {
  /// The text, escaped for an element or for an attribute's quotes.
  static func escaped(_ text: some StringProtocol) -> String { HTMLText.escaped(text) }

  /// The beginning of a text, by Unicode scalars, with an ellipsis if there is more.
  static func limited(_ text: String, to limit: Int) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
  }

  /// The beginning of a text, escaped.
  static func escaped(_ text: String, atMost limit: Int) -> String {
    escaped(limited(text, to: limit))
  }

  /// A number with a comma between thousands.
  static func number(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var parts: [String] = []
    while digits.count > 3 {
      parts.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + parts).joined(separator: ",")
  }
}
