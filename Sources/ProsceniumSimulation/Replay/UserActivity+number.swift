// SPDX-License-Identifier: Apache-2.0

package import Proscenium

extension UserActivity {
  /// Makes the activity of a number, which is its type.
  package static func numbered(_ number: Int) -> UserActivity { UserActivity("\(number)") }

  /// The number of a numbered activity, -1 for any other.
  package var number: Int { Int(activityType) ?? -1 }
}
