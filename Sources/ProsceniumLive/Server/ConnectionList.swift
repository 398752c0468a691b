// SPDX-License-Identifier: Apache-2.0

#if Live
  import ProsceniumPrimitives

  /// The connections that there are.
  final class ConnectionList: Sendable {
    private let limit: Int
    private let connections = Guarded<[ObjectIdentifier: LiveConnection]>([:])

    init(limit: Int) {
      self.limit = limit
    }

    var all: [LiveConnection] { connections.withLock { Array($0.values) } }

    /// Adds a connection, unless there are too many.
    func add(_ connection: LiveConnection) -> Bool {
      connections.withLock { connections in
        guard connections.count < limit else { return false }
        connections[ObjectIdentifier(connection)] = connection
        return true
      }
    }

    func remove(_ connection: LiveConnection) {
      connections.withLock { $0[ObjectIdentifier(connection)] = nil }
    }
  }
#endif
