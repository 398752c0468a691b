// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// Comparing an `expect` of a vector with what the model predicts.
extension LifecycleModel {
  /// What an `expect` says that the model does not predict.
  ///
  /// - Parameters:
  ///   - expectation: The `expect`.
  ///   - moment: What could be seen inside a callback; what can be seen now unless given.
  /// - Returns: A sentence for each difference.
  func differences(from expectation: JSONNode, at moment: JSONValue? = nil) -> [String] {
    let observation = moment ?? observation
    return expectation.namedMembers.flatMap { member in
      member.key == "disjoint"
        ? overlaps(member.node)
        : Self.differences(
          member.key, member.node.value, observation[member.key] ?? .null)
    }
  }

  /// Objects are partial, lists are sets; errors have an order, values are compared whole.
  private static func differences(
    _ key: String, _ expected: JSONValue, _ actual: JSONValue
  ) -> [String] {
    let isEqual: Bool
    switch (key, expected, actual) {
    case ("userInfo", _, _): isEqual = expected.normalized == actual.normalized
    case ("errors", _, _): isEqual = expected == actual
    case ("stateRestorationActivity", .text, .object): isEqual = expected == actual["label"]
    case ("released", .list(let expected), .list(let actual)):
      isEqual = Set(expected).isSubset(of: actual)
    case (_, .list(let expected), .list(let actual)): isEqual = Set(expected) == Set(actual)
    case (_, .object(let members), .object):
      return members.flatMap { member in
        differences(member.key, member.value, actual[member.key] ?? .null).map {
          "\(key).\($0)"
        }
      }
    default: isEqual = expected == actual
    }
    return isEqual ? [] : ["\(key): expected \(expected), predicted \(actual)"]
  }

  private func overlaps(_ pairs: JSONNode) -> [String] {
    guard let pairs = try? pairs.elements().map({ try $0.texts() }) else { return ["disjoint"] }
    return pairs.filter { !labels($0[0]).isDisjoint(with: labels($0[1])) }
      .map { "\($0[0]) and \($0[1]) are not disjoint" }
  }

  private func labels(_ set: String) -> Set<ModelLabel> {
    switch set {
    case "openSessions": Set(sessions.keys)
    case "storedSessions": Set(store.keys)
    case "discardedSessions": discarded
    default: Set(labels { $0.scene != nil })
    }
  }
}
