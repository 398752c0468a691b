// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// The one database of a simulated cluster: it carries out calls in single steps, can be silent
  /// for a time, start again, and go back to what it was some commits ago.
  final class DatabaseServer: Sendable {
    /// One of a node's connections, as the server knows it.
    private struct Connection: Sendable {
      var node: Int32?
      var line: SimulatedAuthority.Line
    }

    private struct State: Sendable {
      var database: SimulatedDatabase
      /// What it was before each of the last commits.
      var history: [SimulatedDatabase] = []
      var connections: [Int: Connection] = [:]
      var lastConnection = 0
      /// The times in which nothing was answered.
      var pauses: [Range<Duration>] = []
      /// When each node's last sign of life took effect, by the time in which the server answered.
      var beats: [Int32: Duration] = [:]
    }

    /// What happens where the database's calls take effect.
    enum Change: Sendable {
      case beat, other
    }

    private let state: Guarded<State>
    private let time: @Sendable () -> Duration
    /// How many commits it can go back.
    private static let depth = 48

    init(_ database: SimulatedDatabase, time: @escaping @Sendable () -> Duration) {
      state = Guarded(State(database: database))
      self.time = time
    }

    /// What it has now.
    var database: SimulatedDatabase { state.withLock { $0.database } }

    /// Takes what was found since the last time.
    func takeFindings() -> [String] {
      state.withLock { state in
        defer { state.database.findings = [] }
        return state.database.findings
      }
    }

    // MARK: - Connections

    func connect(_ line: SimulatedAuthority.Line, as node: Int32?) -> Int {
      state.withLock { state in
        state.lastConnection += 1
        state.connections[state.lastConnection] = Connection(node: node, line: line)
        return state.lastConnection
      }
    }

    func disconnect(_ connection: Int) {
      state.withLock { $0.connections[connection] = nil }
    }

    func isAlive(_ connection: Int) -> Bool {
      state.withLock { $0.connections[connection] != nil }
    }

    // MARK: - Calls

    /// Carries out a call in one step.
    ///
    /// - Returns: Its answer, or nothing if the connection has ended before.
    func perform<Value: Sendable>(
      on connection: Int, _ change: Change, _ body: (inout SimulatedDatabase) -> Value
    ) -> Value? {
      let now = availableTime
      return state.withLock { state in
        guard let made = state.connections[connection] else { return nil }
        if change == .other {
          state.history.append(state.database)
          if state.history.count > Self.depth { state.history.removeFirst() }
        } else if let node = made.node {
          state.beats[node] = now
        }
        return body(&state.database)
      }
    }

    /// Ends the connections of a node: all, or the other ones of a line.
    func endConnections(of node: Int32, _ line: SimulatedAuthority.Line?, but own: Int) {
      state.withLock { state in
        for (number, connection) in state.connections where number != own {
          guard connection.node == node, line == nil || line == connection.line else { continue }
          state.connections[number] = nil
        }
      }
    }

    /// How long ago a node's last sign of life was, without the time in which there could be none.
    func silence(of node: Int32) -> Duration? {
      let now = availableTime
      return state.withLock { state in state.beats[node].map { now - $0 } }
    }

    // MARK: - What happens to it

    /// How long calls were answered until now.
    private var availableTime: Duration {
      let now = time()
      let pauses = state.withLock { $0.pauses }
      return pauses.reduce(now) { $0 - max(.zero, min(now, $1.upperBound) - $1.lowerBound) }
    }

    /// Until when nothing is answered, if that is so.
    var standstill: Duration? {
      let now = time()
      return state.withLock { $0.pauses.last { $0.contains(now) }?.upperBound }
    }

    /// Answers nothing for a time.
    func pause(for duration: Duration) {
      let now = time()
      state.withLock { state in
        // Pauses never lie upon each other.
        if let last = state.pauses.last, last.upperBound > now {
          let end = max(last.upperBound, now + duration)
          state.pauses[state.pauses.count - 1] = last.lowerBound..<end
        } else {
          state.pauses.append(now..<now + duration)
        }
      }
    }

    /// Starts again: all connections end.
    func restart() {
      state.withLock { $0.connections = [:] }
    }

    /// Starts again as it was some commits ago.
    ///
    /// - Returns: What it had before.
    func goBack(by commits: Int) -> SimulatedDatabase {
      state.withLock { state in
        let before = state.database
        let place = max(0, state.history.count - commits)
        if place < state.history.count {
          state.database = state.history[place]
          state.database.findings = before.findings
          // Numbers are given again, but marks are not.
          state.database.lastRun = before.lastRun
          state.database.lastMark = before.lastMark
          state.history.removeSubrange(place...)
        }
        state.connections = [:]
        return before
      }
    }

    /// Hands slices over in the name of an operator.
    func change(_ body: (inout SimulatedDatabase) -> Void) {
      state.withLock { state in
        state.history.append(state.database)
        body(&state.database)
      }
    }
  }
#endif
