// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

extension JSONNode {
  /// The members of an object whose keys are names that the file gives; none of anything else.
  var namedMembers: [(key: String, node: JSONNode)] {
    guard case .object(let members) = value else { return [] }
    return members.map { member in
      (member.key, JSONNode(member.value, path: .member(path, member.key), file: file))
    }
  }

  /// A number, with or without a fraction.
  func number() throws(JSONFileError) -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .real(let number): return number
    default: throw failure(.wrongType, "a number")
    }
  }

  /// The texts of a list.
  func texts() throws(JSONFileError) -> [String] {
    var texts: [String] = []
    for element in try elements() { texts.append(try element.text()) }
    return texts
  }
}
