// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The code of a value that a session's `userInfo` cannot hold.
///
/// The types of the runtime keep such a value from being set, so that the suite says what they do.
struct ValueRefusal: Error, Hashable {
  let code = "notPropertyList"
}

extension UserActivity.Value {
  /// The value as a session's `userInfo`; null is none.
  func sessionUserInfo() throws(ValueRefusal) -> [String: PropertyListValue]? {
    if self == .null { return nil }
    guard let dictionary = propertyList?.dictionary else { throw ValueRefusal() }
    return dictionary
  }
}
