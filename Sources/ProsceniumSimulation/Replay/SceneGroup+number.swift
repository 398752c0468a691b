// SPDX-License-Identifier: Apache-2.0

package import Proscenium

extension SceneGroup {
  /// Makes the group of a number; group 0 is the default group, which has no name.
  package static func numbered(_ number: Int) -> SceneGroup? {
    number == 0 ? nil : SceneGroup(rawValue: "\(number)")
  }
}

extension Optional<SceneGroup> {
  /// The number of a numbered group, 0 for the default group.
  package var number: Int { self.flatMap { Int($0.rawValue) } ?? 0 }
}
