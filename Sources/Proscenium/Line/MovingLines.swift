// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// The lines of all sessions of an application whose sessions come from other processes and go to
/// them: what concerns many of them at once does not wait for their shards.
final class MovingLines: Sendable {
  private struct State: Sendable {
    var lines: [SessionIdentifier: SessionLine] = [:]
    /// The sessions that have brought lines which their shards do not have yet.
    var arrived: Set<SessionIdentifier> = []
    /// Those of sessions that go, until their clients are told.
    var leaving: [ObjectIdentifier: SessionLine] = [:]
    /// How many lines have come: no two of them have frames of the same number.
    var count: UInt32 = 1 << 31
  }

  private let state = Guarded(State())
  /// A look at it takes no lock: most sessions bring no lines.
  private let hasArrived = Atomic(false)

  /// Takes note of the lines of a session.
  func enter(_ line: SessionLine) {
    state.withLock { $0.lines[line.session] = line }
  }

  /// Forgets the lines of a session, unless it has others by now.
  func leave(_ line: SessionLine) {
    state.withLock { state in
      if state.lines[line.session] === line { state.lines[line.session] = nil }
    }
  }

  // MARK: - Sessions that come

  /// Makes the lines of a session that has come, which its shard takes when it needs them.
  ///
  /// - Parameters:
  ///   - line: What its clients need.
  ///   - epoch: The store's, in which it is served from now on.
  ///   - rules: How the session treats its clients.
  /// - Returns: The lines.
  func arrive(_ line: HandedOverLine, epoch: UInt32, _ rules: ClientRules) -> SessionLine {
    state.withLock { state in
      let made = SessionLine(line, epoch: UInt64(epoch) << 32 | UInt64(state.count), rules)
      state.count = max(state.count &+ 1, 1 << 31)
      state.lines[line.session] = made
      state.arrived.insert(line.session)
      hasArrived.store(true, ordering: .releasing)
      return made
    }
  }

  /// Takes the lines that a session has brought, if its shard does not have them yet.
  func takeArrived(_ session: SessionIdentifier) -> SessionLine? {
    guard hasArrived.load(ordering: .acquiring) else { return nil }
    return state.withLock { state in
      guard state.arrived.remove(session) != nil else { return nil }
      hasArrived.store(!state.arrived.isEmpty, ordering: .releasing)
      return state.lines[session]
    }
  }

  // MARK: - Sessions that go

  /// Takes out the lines of sessions that go to another process, until ``end(_:)``.
  func depart(_ sessions: [SessionIdentifier]) -> [SessionLine] {
    state.withLock { state in
      let gone = sessions.compactMap { state.lines.removeValue(forKey: $0) }
      for line in gone { state.leaving[ObjectIdentifier(line)] = line }
      if !state.arrived.isEmpty { state.arrived.subtract(sessions) }
      return gone
    }
  }

  /// Forgets lines of sessions that have gone.
  func end(_ lines: [SessionLine]) {
    state.withLock { state in
      for line in lines { state.leaving[ObjectIdentifier(line)] = nil }
    }
  }

  /// The lines of all sessions, in the order of these.
  var all: [SessionLine] {
    let all = state.withLock { Array($0.lines.values) + $0.leaving.values }
    return all.sorted { $0.session < $1.session }
  }
}
