// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The code of a value that a session's `userInfo` cannot hold, as the suite writes it.
struct ValueRefusal: Error, Hashable {
  let code = "notPropertyList"
}

extension UserInfoValue {
  /// The value as a session's `userInfo`; null is none.
  func sessionUserInfo() throws(ValueRefusal) -> [String: UserInfoValue]? {
    if self == .null { return nil }
    guard isPropertyList, let dictionary else { throw ValueRefusal() }
    return dictionary
  }
}
