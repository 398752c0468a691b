// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation

/// One who sends messages in an order of its own, and keeps what became of each.
final class StormSender: Sendable {
  enum Fate: UInt8, Sendable {
    /// The sender was told that it was not sent, or that it is lost.
    case refused
    /// It was accepted: it arrives, or is reported as lost.
    case accepted
    /// It was replied to.
    case replied
  }

  let number: Int
  private let storage = Guarded<[Fate]>([])

  init(_ number: Int) {
    self.number = number
  }

  var fates: [Fate] { storage.withLock { $0 } }

  func next(to session: Int) -> NumberedMessage {
    storage.withLock { fates in
      fates.append(.refused)
      return NumberedMessage(sender: number, number: fates.count - 1, session: session)
    }
  }

  func note(_ message: NumberedMessage, _ fate: Fate) {
    storage.withLock { $0[message.number] = fate }
  }
}
