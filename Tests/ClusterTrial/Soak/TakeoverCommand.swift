// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ArgumentParser
  import Foundation
  import PostgresTestServer

  /// How long it takes until the sessions of a killed node are served again.
  struct TakeoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "takeover",
      abstract: "Measures how fast the sessions of a killed node are served.",
      discussion: """
        Two nodes share a database; one of them owns all sessions and is killed. What is measured \
        begins when the other one has seen no sign of life for a lease.

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
      let cluster = try await TrialCluster(on: server, 0)
      try await cluster.fill(sessions)
      var owner = try await node(0, cluster)
      print("\(sessions) sessions, lease \(lease) s; from the detection, in ms")
      print("  burial   first served   all served   kill to detection")
      for run in 1...runs {
        let heir = try await node(run, cluster)
        let killed = Date()
        await owner.end()
        let line = try await Self.wait(for: "slices were taken up", in: heir)
        let burial = try await Self.wait(for: "a node was buried", in: heir)
        let all = Self.value("all_served", line)
        // The log has the second in which it was written; the clock here is the same machine's.
        let detection = Date().timeIntervalSince(killed) - all
        print(
          String(
            format: "%8.0f %14.0f %12.0f %17.0f", Self.value("time", burial) * 1_000,
            Self.value("first_served", line) * 1_000, all * 1_000, detection * 1_000))
        owner = heir
      }
      await owner.end()
      try await server.remove()
    }

    private func node(_ number: Int, _ cluster: TrialCluster) async throws -> NodeProcess {
      let node = try NodeProcess(
        "node\(number)", in: cluster.folder, address: cluster.address,
        ["--lease", "\(lease)", "--settle", "0", "--callers", "0"])
      try await node.wait(for: "ready", within: .seconds(300))
      return node
    }

    private static func wait(for text: String, in node: NodeProcess) async throws -> String {
      let end = ContinuousClock.now + .seconds(300)
      while ContinuousClock.now < end {
        if let line = node.said(text).last { return line }
        // Nothing tells when a line has come.
        try await Task.sleep(for: .milliseconds(5))
      }
      throw TrialFailure("node \(node.name) did not say \"\(text)\"")
    }

    private static func value(_ name: String, _ line: String) -> Double {
      let text = line.split(separator: "\(name)=").dropFirst().first ?? ""
      return Double(text.prefix { $0.isNumber || $0 == "." }) ?? 0
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
