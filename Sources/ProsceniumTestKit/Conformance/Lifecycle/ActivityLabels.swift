// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// The activities that a vector's setup declares; everything else names them by their labels.
struct ActivityLabels: Sendable {
  let declared: Set<String>

  /// The label at a place.
  func label(_ node: JSONNode) throws(JSONFileError) -> String {
    let label = try node.text()
    guard declared.contains(label) else {
      throw node.failure(.unknownValue, "the label of an activity of the setup")
    }
    return label
  }

  /// The label at a place, or nil if it is `null` or there is none.
  func labelIfAny(_ node: JSONNode?) throws(JSONFileError) -> String? {
    guard let node = node?.unlessNull else { return nil }
    return try label(node)
  }

  /// Whether a text can be a label: letters and digits.
  static func isLabel(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: false
        }
      }
  }
}
