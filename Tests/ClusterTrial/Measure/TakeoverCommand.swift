// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Foundation
  import ProsceniumLocalPostgres

  /// How long it takes until the sessions of a killed node are served again.
  struct TakeoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "takeover",
      abstract: "Measures how fast the sessions of a killed node are served.",
      discussion: """
        Two nodes share a database; one of them owns all sessions and is killed. What is measured \
        begins when the other one has seen no sign of life for a lease. In the same run an \
        application is launched with as many sessions from a file.

        EXAMPLES
          cluster-trial takeover --sessions 100000 --runs 5
        """)

    @Option(help: "How many sessions the killed node has.")
    var sessions = 100_000

    @Option(help: "How often it is killed.")
    var runs = 5

    @Option(help: "The lease in seconds.")
    var lease = 1.0

    func validate() throws {
      guard (1...10_000_000).contains(sessions), (1...100).contains(runs), (1...60).contains(lease)
      else { throw ValidationError("expected up to 10,000,000 sessions and 100 runs") }
    }

    func run() async throws {
      let server = try await PostgresServer.start(
        onDisk: true, settings: ["shared_buffers": "512MB"])
      let cluster = try await TrialCluster(on: server, 0, lease: lease)
      try await cluster.fill(sessions)
      let file = try await SessionsInFile(sessions, in: "\(server.home)-sqlite")
      defer { file.remove() }
      var owner = try await node(0, cluster)
      say("\(sessions) sessions, lease \(lease) s; from the detection, in ms")
      say(
        "  burial  first served  all served  kill to detection  launch from SQLite  all of launch")
      for run in 1...runs {
        let launch = try await file.launchTime()
        let heir = try await node(run, cluster)
        let killed = Date()
        await owner.end()
        let line = try await heir.wait(forLog: "slices were taken up", within: .seconds(300))
        let burial = NodeProcess.value("time", in: try await heir.wait(forLog: "a node was buried"))
        let all = NodeProcess.value("all_served", in: line)
        // The log has the second in which it was written; the clock here is the same machine's.
        let detection = Date().timeIntervalSince(killed) - all
        say(
          String(
            format: "%8.0f %13.0f %11.0f %18.0f %19.0f %14.2f", burial * 1_000,
            NodeProcess.value("first_served", in: line) * 1_000, all * 1_000, detection * 1_000,
            launch * 1_000, all / launch))
        owner = heir
      }
      await owner.end()
      try await server.remove()
    }

    private func node(_ number: Int, _ cluster: TrialCluster) async throws -> NodeProcess {
      let node = try cluster.node("node\(number)", ["--settle", "0", "--callers", "0"])
      try await node.wait(for: "ready", within: .seconds(300))
      return node
    }
  }

  extension TrialCluster {
    /// Makes sessions without states, as the database would have them.
    func fill(_ count: Int) async throws {
      try await sql(
        """
        INSERT INTO proscenium.configuration(number, role, name)
          VALUES (1, 'windowApplication', 'Counting');
        INSERT INTO proscenium.session(place, id, configuration, ends_with, last_activated)
          SELECT ('x' || substr(id::text, 1, 4))::bit(16)::integer
              - CASE WHEN id::text >= '8' THEN 65536 ELSE 0 END, id, 1, 0, number
            FROM (SELECT gen_random_uuid() AS id, number
              FROM generate_series(1, \(count)) AS number) AS made;
        INSERT INTO proscenium.state(place, id, version) SELECT place, id, 0 FROM proscenium.session
        """)
      try await sql("VACUUM ANALYZE proscenium.session")
    }
  }
#endif
