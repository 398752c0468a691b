// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium

/// The callbacks of a scene's delegate.
enum StormCallback: UInt8, Sendable {
  case connect, restore, willEnterForeground, proceed, didBecomeActive, willResignActive
  case didEnterBackground, capture, disconnect
}

/// The states of a scene.
enum StormState: UInt8, Sendable {
  case unattached, background, inactive, active

  init(_ state: Scene.ActivationState) {
    switch state {
    case .unattached: self = .unattached
    case .background: self = .background
    case .foregroundInactive: self = .inactive
    case .foregroundActive: self = .active
    }
  }
}

/// One callback: which, the state that it saw, and what it was given (an activity's number).
struct StormCall: Sendable, Equatable, CustomStringConvertible {
  let code: UInt32

  init(_ callback: StormCallback, _ state: StormState, _ activity: Int = 0) {
    code = UInt32(callback.rawValue) | UInt32(state.rawValue) << 8 | UInt32(activity) << 16
  }

  init(code: UInt32) {
    self.code = code
  }

  var callback: StormCallback? { StormCallback(rawValue: UInt8(truncatingIfNeeded: code)) }
  var state: StormState? { StormState(rawValue: UInt8(truncatingIfNeeded: code >> 8)) }

  var description: String {
    let names = [callback.map { "\($0)" } ?? "?", state.map { "\($0)" } ?? "?", "\(code >> 16)"]
    return names.joined(separator: ".")
  }
}

/// A callback as it was logged: the call, its number among those of its scene group, and whether
/// the application was active.
struct StormEntry: Sendable {
  private let bits: UInt64

  init(_ call: StormCall, sequence: Int, isApplicationActive: Bool) {
    bits = (isApplicationActive ? 1 << 63 : 0) | UInt64(sequence) << 32 | UInt64(call.code)
  }

  var call: StormCall { StormCall(code: UInt32(truncatingIfNeeded: bits)) }
  var sequence: Int { Int(bits >> 32 & 0x7FFF_FFFF) }
  var isApplicationActive: Bool { bits >> 63 == 1 }
}

/// What the delegates of one session heard, one connection after the other.
struct StormLog: Sendable {
  var group = 0
  var isConnected = false
  var isDiscarded = false
  var entries: [StormEntry] = []
  var messages: [StormMessage] = []
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
  func disconnect(_ session: Int, _ entries: [StormEntry], _ messages: [StormMessage]) {
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
