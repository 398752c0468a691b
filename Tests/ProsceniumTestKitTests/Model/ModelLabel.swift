// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// The label of a session in vectors and logs, such as `S12`.
struct ModelLabel: Hashable, Comparable, CustomStringConvertible {
  let number: Int

  var description: String { "S\(number)" }

  init(_ number: Int) { self.number = number }

  init(_ node: JSONNode) throws(JSONFileError) {
    let text = try node.text()
    guard text.hasPrefix("S"), let number = Int(text.dropFirst()), number > 0 else {
      throw node.failure(.unknownValue, "the label of a session, such as S1")
    }
    self.number = number
  }

  /// The identifier that a session of a setup has unless the vector gives it another one.
  var seededIdentifier: String {
    let digits = "\(number)"
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count))
      + digits
  }

  static func < (left: ModelLabel, right: ModelLabel) -> Bool { left.number < right.number }
}

/// One of the scenes that a session had, such as `S12#3`.
struct ModelInstance: Hashable, CustomStringConvertible {
  let session: ModelLabel
  let number: Int

  var description: String { "\(session)#\(number)" }
}
