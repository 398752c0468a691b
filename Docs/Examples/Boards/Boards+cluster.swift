// SPDX-License-Identifier: Apache-2.0

#if Live && Links && Complete && os(Linux)
  import ArgumentParser
  import Foundation
  import ProsceniumLocalPostgres

  extension Boards {
    struct Cluster: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Serves from several nodes that share a database, behind one port.",
        discussion: """
          Unless a database is given, a private PostgreSQL is started in a temporary folder, and \
          removed at the end.
          """)

      @OptionGroup var place: Place
      @OptionGroup var options: Options
      @OptionGroup var lease: Lease

      @Option(help: "How many nodes.")
      var nodes = 2

      @Option(help: "The address of a database, as postgres://….")
      var database: String?

      func validate() throws {
        guard (2...8).contains(nodes) else { throw ValidationError("expected 2 to 8 nodes.") }
      }

      func run() async throws {
        try FileManager.default.createDirectory(
          atPath: place.folder, withIntermediateDirectories: true)
        // Nodes that begin at once would each make their own.
        _ = try Switches(folder: place.folder) { _, _ in }
        if let database { return try await serve(database) }
        let server = try await PostgresServer.start()
        do {
          try await serve(server.url())
        } catch {
          try await server.remove()
          throw error
        }
        try await server.remove()
      }

      private func serve(_ database: String) async throws {
        let arguments = [
          "--folder", place.folder, "--grace", "\(options.grace)", "--expiry", "\(options.expiry)",
          "--release", "\(options.release)", "--lease", "\(lease.lease)",
        ]
        let front = Front(at: place.port)
        try await Fleet(arguments, database: database, lease: lease.lease, front: front)
          .run(nodes) {
            if self.database == nil { print("the database is at \(database)") }
            print("boards are at http://127.0.0.1:\(place.port)/")
            fflush(nil)
          }
      }
    }

    struct Lease: ParsableArguments {
      @Option(help: "For how many seconds a node is not heard of until others take its boards.")
      var lease = 5

      func validate() throws {
        guard (1...60).contains(lease) else { throw ValidationError("expected 1 to 60 s.") }
      }
    }

    struct Node: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Is a node until it is told to end, or killed: what `boards cluster` starts.",
        shouldDisplay: false)

      @OptionGroup var place: Place
      @OptionGroup var options: Options
      @OptionGroup var lease: Lease

      @Option(help: "What the node is called.")
      var name: String

      @Option(help: "The build of its program.")
      var build: Int32

      func run() async throws {
        let database = ProcessInfo.processInfo.environment[NodeHost.databaseVariable]
        let host = BoardHost(port: place.port, folder: place.folder, options: options)
        try await NodeHost(
          host: host, database: database ?? "", name: name, build: build, lease: lease.lease
        ).run()
      }
    }
  }
#endif
