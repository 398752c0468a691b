// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium

/// A message that says who sent it, the how manieth of that sender's it is, and to whom.
struct StormMessage: Sendable, Hashable, CustomStringConvertible {
  private let bits: UInt64

  init(sender: Int, number: Int, session: Int) {
    bits = UInt64(sender) << 52 | UInt64(number) << 26 | UInt64(session)
  }

  init(_ message: SceneMessage) {
    bits = message.bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  var sender: Int { Int(bits >> 52) }
  var number: Int { Int(bits >> 26 & 0x3FF_FFFF) }
  var session: Int { Int(bits & 0x3FF_FFFF) }

  var message: SceneMessage {
    SceneMessage((0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
  }

  var description: String { "message \(number) of sender \(sender) to session \(session)" }
}

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

  func next(to session: Int) -> StormMessage {
    storage.withLock { fates in
      fates.append(.refused)
      return StormMessage(sender: number, number: fates.count - 1, session: session)
    }
  }

  func note(_ message: StormMessage, _ fate: Fate) {
    storage.withLock { $0[message.number] = fate }
  }
}
