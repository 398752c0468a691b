// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Foundation
  import PostgresTestServer
  import Proscenium
  import ProsceniumPostgres
  import Testing

  /// `proscenium cluster status` and `release`, with a server.
  @Suite(.timeLimit(.minutes(10))) struct ClusterStatusProgramTests {
    private final class Silent: SceneDelegate {}

    private let server: PostgresServer
    private let database: String
    private var address: String { server.url(database: database) }

    init() async throws {
      server = try await PostgresServer.shared.server()
      database = try await server.makeDatabase()
      try await PostgresStoreSetup.run(server.url(database: database), granting: [])
    }

    private func run(_ arguments: String...) async throws -> ProgramRun {
      let run = try await ProgramRun(["cluster"] + arguments)
      #expect(!(run.output + run.errors).contains(server.password))
      return run
    }

    @Test func `a cluster without nodes is not served`() async throws {
      let status = try await run("status", address)
      #expect(status.status == 1)
      #expect(status.output.hasPrefix("no node has joined, or all have left\n"))
      #expect(status.output.contains("1024 slices: 1024 without an owner, 0 of dead nodes"))
      #expect(status.lastLine == "not served")
    }

    @Test func `nodes are shown with what they own, and dead ones as well`() async throws {
      try await ClusterNode.withRunning(
        manifest: [SceneConfiguration("Main") { Silent() }],
        authority: PostgresAuthority(
          address,
          key: .callback { try ApplicationKeys(primary: [UInt8](repeating: 7, count: 32)) }),
        node: ClusterSettings(name: "one", address: "10.0.0.1:7400", build: 42)
      ) { _ in
        let status = try await run("status", address)
        #expect(status.status == 0, "\(status.output)")
        #expect(status.output.contains("1 one  10.0.0.1:7400  42     live"), "\(status.output)")
        #expect(status.output.contains(String(repeating: "█", count: 24) + " 1024\n"))
        #expect(status.lastLine == "served")
        let json = try await run("status", address, "--json")
        let object = try #require(
          try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let nodes = try #require(object["nodes"] as? [[String: Any]])
        #expect(nodes.first?["name"] as? String == "one")
        #expect(nodes.first?["slices"] as? Int == 1_024)
        #expect(object["isServed"] as? Bool == true)
      }
    }

    @Test func `a parked slice is shown and released`() async throws {
      _ = try await server.sql(
        "UPDATE proscenium.slice SET deaths = 4 WHERE slice = 417;"
          + "UPDATE proscenium.slice SET deaths = 1 WHERE slice = 3", database: database)
      let status = try await run("status", address)
      #expect(status.output.contains("slice 417: 4 of its owners died, it is parked\n"))
      #expect(status.output.contains("slice 3: 1 of its owners died\n"))
      let release = try await run("release", address, "417", "3", "5")
      #expect(
        release.output == """
          slice 417: released after 4 deaths
          slice 3: released after 1 death
          slice 5: nothing to release

          """)
      #expect(try await !run("status", address).output.contains("died"))
      let wrong = try await run("release", address, "5000")
      #expect(wrong.status == 2)
      #expect(
        wrong.errors.hasSuffix("expected the number of a slice, 0 to 1023 as a rule, found 5000.\n")
      )
    }
  }
#endif
