// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Foundation
  import ProsceniumLocalPostgres
  import ProsceniumPrimitives

  /// What can be chosen of a trial in which slices move.
  struct MoveOptions: ParsableArguments {
    @Option(help: "How many sessions there are.")
    var sessions = 100_000

    @Option(
      help: "How many of each node are connected, changed since their capture, and sent events.")
    var connected = 10_000

    @Option(help: "How many events of 256 bytes there are in a second.")
    var rate = 20_000

    @Option(help: "The lease in seconds.")
    var lease = 5.0

    @Flag(help: "Let a witness look for stale rows, which makes each save slower.")
    var stale = false

    @Option(help: "A new folder that the logs and histories of all nodes are copied to.")
    var logs: String?

    func validate() throws {
      guard (1_000...10_000_000).contains(sessions), (1...sessions / 4).contains(connected),
        (100...1_000_000).contains(rate), (1...60).contains(lease)
      else {
        throw ValidationError(
          "expected 1,000 to 10,000,000 sessions, a quarter of them connected of each node at most,"
            + " 100 events a second or more, and a lease of 1 to 60 s")
      }
    }

    var plan: MovingCluster.Plan {
      MovingCluster.Plan(
        sessions: sessions, connected: connected, rate: rate, lease: lease,
        seesStale: stale)
    }

    /// Runs a trial on a server of its own, which is removed whatever comes of it.
    func onServer<Value>(_ body: (PostgresServer) async throws -> Value) async throws -> Value {
      let server = try await PostgresServer.start(
        onDisk: true, settings: ["shared_buffers": "512MB"])
      let result = await Result { try await body(server) }
      if let logs {
        try FileManager.default.copyItem(atPath: TrialCluster.folder(0, of: server), toPath: logs)
        try FileManager.default.copyItem(atPath: server.log, toPath: "\(logs)/postgresql.log")
      }
      try await server.remove()
      return try result.get()
    }
  }
#endif
