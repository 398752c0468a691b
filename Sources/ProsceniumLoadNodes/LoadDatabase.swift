// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import Foundation
  import ProsceniumLocalPostgres
  import ProsceniumPostgres

  /// The database of the nodes of a load test: a private server's, or one that was given.
  package struct LoadDatabase: Sendable {
    /// Where nodes find it.
    package let address: String
    /// Removes a private server.
    package let close: @Sendable () async throws -> Void

    /// Starts a private server, or looks whether a given database can be used.
    ///
    /// - Parameter given: The address of a database with a store that has no sessions; without one
    ///   a server is started in a temporary folder, and goes with the test.
    /// - Returns: The database, which has a store without sessions.
    /// - Throws: What the server refuses, and ``LoadDatabaseError`` if there are sessions.
    package static func open(_ given: String?) async throws -> LoadDatabase {
      if let given {
        let sessions = try await ClusterStatus.read(given).sessions
        guard sessions == 0 else { throw LoadDatabaseError.inUse(sessions) }
        return LoadDatabase(address: given, close: {})
      }
      #if os(Linux)
        let server = try await PostgresServer.start(
          onDisk: true, settings: ["shared_buffers": "256MB"])
        let address = server.url(database: try await server.makeDatabase())
        try await PostgresStoreSetup.run(address, granting: [])
        return LoadDatabase(address: address) { try await server.remove() }
      #else
        throw LoadDatabaseError.noServer
      #endif
    }
  }

  /// Why a database cannot be used for a load test.
  package enum LoadDatabaseError: Error, CustomStringConvertible {
    /// It has sessions, which the test would take for its own.
    case inUse(Int)
    /// A private server can be started on Linux alone.
    case noServer

    package var description: String {
      switch self {
      case .inUse(let count): "expected a database without sessions, found \(count) in it"
      case .noServer: "expected --database: a private server can be started on Linux alone"
      }
    }
  }
#endif
