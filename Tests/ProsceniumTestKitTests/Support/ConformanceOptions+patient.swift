// SPDX-License-Identifier: Apache-2.0

import ProsceniumTestKit

extension ConformanceOptions {
  /// For runs next to all other tests: what is slow because of them does not hang.
  ///
  /// - Parameter shards: How many shards an application has.
  /// - Returns: Options with a limit that only a hang reaches.
  static func patient(shards: Int = 64) -> ConformanceOptions {
    var options = ConformanceOptions()
    options.shards = shards
    options.limit = .seconds(600)
    return options
  }
}
