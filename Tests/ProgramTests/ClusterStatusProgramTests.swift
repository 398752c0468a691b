// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Foundation
  import PostgresTestServer
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import Testing

  /// `proscenium cluster status` and `release`, with a server.
  @Suite(.timeLimit(.minutes(10))) struct ClusterStatusProgramTests {
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

    private func sql(_ text: String) async throws {
      _ = try await server.sql(text, database: database)
    }

    /// Two nodes that no process is behind, which were heard of just now for an hour.
    private func join() async throws {
      try await sql(
        "SELECT proscenium.claim_1(node, 768) FROM proscenium.join_1('a', 'host-a:1', '', '', 41)")
      try await sql(
        """
        SELECT proscenium.claim_1(node, 256)
          FROM proscenium.join_1('b\u{1B}[31m', 'host-b:1', '', '', 42)
        """
      )
      try await sql("UPDATE proscenium.node SET beat_at = clock_timestamp() + interval '1 hour'")
    }

    private func words(_ run: ProgramRun) -> [[Substring]] {
      run.output.split(separator: "\n").map { $0.split(separator: " ") }
    }

    @Test func `a cluster without nodes is not served`() async throws {
      let run = try await run("status", address)
      #expect(run.status == 1)
      #expect(run.lastLine == "not all is served: no node lives, 1,024 slices have no owner")
      #expect(run.errors.isEmpty)
      let lines = words(run)
      let bar = Substring(repeating: "█", count: 24)
      #expect(lines[1] == ["-", "no", "owner", "-", "-", "-", "1,024", bar, "-", "-"])
      #expect(lines.contains(["sessions", "0"]) && lines.contains(["format", "1"]))
    }

    @Test func `nodes are shown with what they own, and terminals are not driven`() async throws {
      try await join()
      let run = try await run("status", address)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.lastLine == "every slice has an owner that lives")
      let lines = words(run)
      #expect(lines[0].prefix(7) == ["node", "name", "address", "build", "state", "slices", "of"])
      let bars = [18, 6].map { Substring(repeating: "█", count: $0) }
      #expect(lines[1].prefix(7) == ["1", "a", "host-a:1", "41", "live", "768", bars[0]])
      #expect(
        lines[2].prefix(7) == ["2", #""b\u001b[31m""#, "host-b:1", "42", "live", "256", bars[1]])
      #expect(lines[1].suffix(2).joined(separator: " ").count == "2026-11-28 07:34:56".count)
      for row in [["slices", "1,024"], ["owned", "1,024"], ["no", "owner", "0"], ["map"]] {
        #expect(lines.contains { $0.starts(with: row.map { Substring($0) }) }, "\(row)")
      }
      // By its own program, under either name.
      let other = try await ProgramRun(
        product: "proscenium-cluster", ["cluster", "status", address])
      #expect(other.status == 0 && other.lastLine == run.lastLine)
    }

    @Test func `what is wrong is in the verdict, all of it`() async throws {
      try await join()
      try await sql(
        """
        UPDATE proscenium.slice SET owner = NULL WHERE slice = 1023;
        UPDATE proscenium.slice SET deaths = slice WHERE slice IN (2, 5);
        UPDATE proscenium.node SET beat_at = clock_timestamp() - interval '3 hours'
          WHERE node = 1
        """)
      let all = try await run("status", address)
      #expect(all.status == 1)
      #expect(
        all.output.hasSuffix(
          """
          not all is served: 1 slice has no owner, 1 slice is parked, \
          node 1 with 768 slices was last heard of 3 h ago

          """), "\(all.output)")
      let lines = words(all)
      #expect(lines[1].contains("silent") && lines[2].contains("live"))
      #expect(lines.contains(["parked", "slice", "deaths", "owner"]))
      #expect(lines.contains(["5", "5", "node", "1"]) && !lines.contains(["2", "2", "node", "1"]))
      #expect(lines.contains { $0.starts(with: ["with", "deaths", "1", "of"]) })
      let patient = try await run("status", address, "--death-limit", "6")
      #expect(patient.lastLine?.contains("parked") == false)
      try await sql(
        "UPDATE proscenium.slice SET deaths = 1; UPDATE proscenium.node SET state = 'x'")
      let dead = try await run("status", address, "--death-limit", "1")
      #expect(dead.output.contains("\n… and 1,004 more\n"))
      let verdict =
        "not all is served: no node lives, 1 slice has no owner, 1,023 slices are dead nodes', "
        + "1,024 slices are parked\n"
      #expect(dead.output.hasSuffix(verdict), "\(dead.output)")
    }

    private struct Line: Decodable {
      struct Node: Decodable {
        let node: Int
        let name: String
        let address: String
        let build: Int
        let state: String
        let isSilent: Bool
        let slices: Int
        let secondsSinceBeat: Double
        let joined: String
      }
      struct Deaths: Decodable, Equatable {
        let slice: Int
        let deaths: Int
        let node: Int?
        let isParked: Bool
      }
      let store: String
      let version: Int
      let isServed: Bool
      let verdict: String
      let nodes: [Node]
      let slices: [String: Int]
      let deaths: [Deaths]
      let sessions: Int
      let databaseBytes: Int
      let map: Int
    }

    @Test func `programs get an object`() async throws {
      try await join()
      try await sql("UPDATE proscenium.slice SET deaths = 3, owner = NULL WHERE slice = 7")
      let run = try await run("status", address, "--json")
      #expect(run.status == 1)
      let line = try JSONDecoder().decode(Line.self, from: Data(run.output.utf8))
      #expect(line.store == "postgres://127.0.0.1:\(server.port)/\(database)")
      #expect(line.version == 1 && line.map > 0 && line.sessions == 0 && line.databaseBytes > 0)
      #expect(!line.isServed && line.verdict.hasSuffix("no owner, 1 slice is parked"))
      #expect(
        line.slices == ["all": 1_024, "owned": 1_023, "free": 1, "ofDeadNodes": 0, "parked": 1])
      #expect(line.deaths == [.init(slice: 7, deaths: 3, node: nil, isParked: true)])
      #expect(line.nodes.map(\.node) == [1, 2] && line.nodes.map(\.build) == [41, 42])
      #expect(line.nodes.map(\.slices) == [767, 256] && line.nodes[1].name == "b\u{1B}[31m")
      #expect(line.nodes[0].address == "host-a:1" && line.nodes[0].joined.hasSuffix("Z"))
      #expect(line.nodes.allSatisfy { $0.state == "live" && !$0.isSilent })
      #expect(line.nodes.allSatisfy { $0.secondsSinceBeat < 60 })
    }

    @Test func `it looks every second until it is interrupted`() async throws {
      try await join()
      let folder = try TemporaryFolder()
      let run = try await ProgramRun(
        shell: """
          cd '\(folder.path)'
          : > looks
          "$program" cluster status '\(address)' --watch --json > looks & p=$!
          until [ "$(wc -l < looks)" -ge 3 ] || ! kill -s 0 $p; do sleep 0.1; done
          kill -s INT $p; wait $p; echo $?
          """)
      #expect(run.output == "0\n" && run.errors.isEmpty, "\(run.errors)")
      let looks = try folder.text("looks").split(separator: "\n")
      #expect(looks.count >= 3 && looks.allSatisfy { $0.contains("\"isServed\":") })
    }

    @Test func `a node is drained, and it is waited until it has ended`() async throws {
      try await join()
      let first = try await run("drain", address, "2", "--no-wait")
      #expect(first.status == 0 && first.output == "node 2 is draining\n", "\(first.errors)")
      #expect(try await run("status", address).output.contains("draining"))
      async let second = run("drain", address, "1")
      try await sql(
        """
        DO $$ BEGIN
          WHILE NOT EXISTS (SELECT FROM proscenium.node WHERE node = 1 AND state = 'd') LOOP
            COMMIT; PERFORM pg_sleep(0.05);
          END LOOP;
        END $$
        """)
      try await sql("SELECT proscenium.leave_1(node, run) FROM proscenium.node WHERE node = 1")
      let end = try await second
      #expect(end.status == 0, "\(end.errors)")
      #expect(end.output == "node 1 has ended, and other nodes have its slices\n")
      let wrong = try await run("drain", address, "1")
      #expect(wrong.status == 2 && wrong.output.isEmpty && wrong.errorLines == 1)
      #expect(wrong.errors.hasSuffix("expected the number of a node that lives, found 1.\n"))
    }

    @Test func `slices are released, and each says what was done`() async throws {
      try await sql("UPDATE proscenium.slice SET deaths = slice - 800 WHERE slice > 800")
      let released = try await run("release", address, "802", "803", "7", "801")
      #expect(released.status == 0, "\(released.errors)")
      #expect(
        released.output == """
          slice 802: was not parked, 2 deaths forgotten
          slice 803: released, was parked after 3 deaths
          slice 7: was not parked
          slice 801: was not parked, 1 death forgotten

          """)
      let again = try await run("release", address, "803")
      #expect(again.output == "slice 803: was not parked\n")
      let one = try await run("release", address, "804", "--death-limit", "5")
      #expect(one.output == "slice 804: was not parked, 4 deaths forgotten\n")
      let wrong = try await run("release", address, "805", "1024")
      #expect(wrong.status == 2 && wrong.output.isEmpty && wrong.errorLines == 1)
      #expect(
        wrong.errors.hasSuffix(
          "expected the numbers of slices, 0 to 1023, found 1024; none was released.\n"))
      #expect(try await run("release", address, "805").output.contains("after 5 deaths"))
    }

    @Test func `a database without a store is refused`() async throws {
      let empty = try await server.makeDatabase()
      for arguments in [
        ["status"], ["status", "--json"], ["status", "--watch"], ["release", "1"],
      ] {
        let run = try await ProgramRun(
          ["cluster", arguments[0], server.url(database: empty)] + arguments.dropFirst())
        #expect(run.status == 2 && run.output.isEmpty && run.errorLines == 1)
        #expect(run.errors.hasSuffix("/\(empty): expected a store, found none.\n"), "\(run.errors)")
      }
    }
  }
#endif
