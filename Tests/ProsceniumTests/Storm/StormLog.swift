// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
@testable import Proscenium

/// A callback as it was logged: the call, its number among those of its scene group, and whether
/// the application was active.
struct StormEntry: Sendable {
  private let bits: UInt64

  init(_ call: SceneCall, sequence: Int, isApplicationActive: Bool) {
    bits = (isApplicationActive ? 1 << 63 : 0) | UInt64(sequence) << 32 | UInt64(call.code)
  }

  var call: SceneCall { SceneCall(code: UInt32(truncatingIfNeeded: bits)) }
  var sequence: Int { Int(bits >> 32 & 0x7FFF_FFFF) }
  var isApplicationActive: Bool { bits >> 63 == 1 }
}

/// What the delegates of one session heard, one connection after the other.
struct StormLog: Sendable {
  var group = 0
  var isConnected = false
  var isDiscarded = false
  var entries: [StormEntry] = []
  var messages: [NumberedMessage] = []
}

/// The logs of some of the sessions, behind one lock.
final class StormLogs: Sendable {
  private let storage = Guarded<[Int: StormLog]>([:])

  var all: [Int: StormLog] { storage.withLock { $0 } }

  /// Notes a connection; returns false if the session must not have one now.
  func connect(_ session: Int, group: Int) -> Bool {
    storage.withLock { logs in
      let log = logs[session, default: StormLog()]
      logs[session, default: StormLog()].isConnected = true
      logs[session, default: StormLog()].group = group
      return !log.isConnected && !log.isDiscarded
    }
  }

  /// Takes over what one connection logged.
  func disconnect(_ session: Int, _ entries: [StormEntry], _ messages: [NumberedMessage]) {
    storage.withLock { logs in
      logs[session, default: StormLog()].isConnected = false
      logs[session, default: StormLog()].entries += entries
      logs[session, default: StormLog()].messages += messages
    }
  }

  /// Notes a discard; returns false if the session must not be discarded now.
  func discard(_ session: Int) -> Bool {
    storage.withLock { logs in
      let log = logs[session, default: StormLog()]
      logs[session, default: StormLog()].isDiscarded = true
      return !log.isConnected && !log.isDiscarded
    }
  }
}
