// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumTestKit

extension Terminal {
  /// A text from outside as it is, or quoted if it is empty or could break the line or drive the
  /// terminal.
  static func printable(_ text: String) -> String {
    let isPlain = !text.isEmpty && !text.unicodeScalars.contains(where: isControl)
    return isPlain ? text : JSONValue.text(text).description
  }

  /// A sentence that may quote texts from outside, with spaces in place of control characters.
  static func oneLine(_ text: String) -> String {
    String(text.unicodeScalars.map { isControl($0) ? " " : Character($0) })
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }
}
