// SPDX-License-Identifier: Apache-2.0

#if Live
  import ProsceniumPrimitives

  /// The connections that there are.
  final class ConnectionList: Sendable {
    private let limit: Int
    private struct State: Sendable {
      var connections: [ObjectIdentifier: LiveConnection] = [:]
      var isEnded = false
    }

    private let state = Guarded(State())

    init(limit: Int) {
      self.limit = limit
    }

    var all: [LiveConnection] { state.withLock { Array($0.connections.values) } }

    /// Adds a connection, unless there are too many, or the server has ended.
    func add(_ connection: LiveConnection) -> Bool {
      state.withLock { state in
        guard state.connections.count < limit, !state.isEnded else { return false }
        state.connections[ObjectIdentifier(connection)] = connection
        return true
      }
    }

    /// Takes no more connections; returns those that there are.
    func end() -> [LiveConnection] {
      state.withLock { state in
        state.isEnded = true
        return Array(state.connections.values)
      }
    }

    func remove(_ connection: LiveConnection) {
      state.withLock { $0.connections[ObjectIdentifier(connection)] = nil }
    }
  }
#endif
