// SPDX-License-Identifier: Apache-2.0

import ProsceniumTestKit

extension Terminal {
  /// A text from outside as it is, or quoted if it is empty or could break the line or drive the
  /// terminal.
  static func printable(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
    }
    return isPlain && !text.isEmpty ? text : JSONValue.text(text).description
  }
}
