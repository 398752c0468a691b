// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// Destruction conditions as an integer.
package enum DestructionBits {
  private static let all: [(Scene.DestructionCondition, Int64)] = [
    (.userInitiatedDismissal, 1), (.systemDisconnection, 2),
  ]

  package static func bits(of conditions: Set<Scene.DestructionCondition>) -> Int64 {
    all.reduce(0) { conditions.contains($1.0) ? $0 | $1.1 : $0 }
  }

  package static func conditions(of bits: Int64) -> Set<Scene.DestructionCondition> {
    bits == 0 ? [] : Set(all.filter { bits & $0.1 != 0 }.map(\.0))
  }
}
