// SPDX-License-Identifier: Apache-2.0

/// Writes texts into HTML and SVG.
package enum HTMLText: Sendable {
  /// The text with everything replaced that means something in an element or in an attribute.
  ///
  /// Control characters that no page may have become U+FFFD.
  package static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
