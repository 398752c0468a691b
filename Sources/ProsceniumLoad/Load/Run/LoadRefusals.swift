// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// Whether the event that a sender has just submitted was refused: one place for all of its events,
/// so that none takes memory for the answer.
final class LoadRefusals: Sendable {
  private let last = Guarded<(number: Int, error: SceneError)?>(nil)

  /// Takes note of the failure of an event; one that was accepted may fail at any later time, and
  /// is not taken for a newer one.
  func note(_ error: SceneError, _ number: Int) {
    last.withLock { last in
      if last.map({ $0.number <= number }) ?? true { last = (number, error) }
    }
  }

  /// Takes why an event was refused; nil if it was accepted.
  func take(_ number: Int) -> SceneError? {
    last.withLock { last in
      guard let refusal = last, refusal.number == number else { return nil }
      last = nil
      return refusal.error
    }
  }
}
