// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// What the program did that UIKit answers with an exception, or does not define.
///
/// Nothing traps: what was wrong is left out, and the device's next call throws what was noted.
package enum Faults {
  /// How many are kept until they are taken.
  static let limit = 100

  private static let noted = Guarded<[String]>([])

  /// Notes one, as a sentence that says what was expected, what was found, and where.
  package static func note(_ sentence: String) {
    noted.withLock { noted in
      if noted.count < limit { noted.append(sentence) }
    }
  }

  /// Returns what was noted since the last call.
  package static func take() -> [String] {
    noted.withLock { noted in
      defer { noted = [] }
      return noted
    }
  }
}
