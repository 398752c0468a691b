// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation

  /// The nodes of a cluster, and what they have done.
  extension TrialCluster {
    /// Starts a node.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - address: The address of the database as the node is to know it, if it is another one.
    ///   - wrapper: A program that starts the node's, with its arguments.
    ///   - arguments: What else the node is told.
    /// - Returns: Its process.
    /// - Throws: That it cannot be started.
    func node(
      _ name: String, through address: String? = nil, by wrapper: [String] = [],
      _ arguments: [String] = []
    ) throws -> NodeProcess {
      try NodeProcess(
        name, in: folder, address: address ?? self.address, by: wrapper,
        ["--lease", "\(lease)"] + arguments)
    }

    /// Starts nodes that wait for one another, and waits until each has made its sessions.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - sessions: How many sessions each of them makes.
    /// - Returns: Their processes.
    /// - Throws: That one does not come to it.
    func nodes(_ count: Int, making sessions: Int) async throws -> [NodeProcess] {
      let nodes = try (0..<count).map {
        try node("node\($0)", ["--create", "\(sessions)", "--settle", "2"])
      }
      for node in nodes { try await node.wait(for: "made") }
      return nodes
    }

    /// Has one more node look at each session when all others have ended.
    ///
    /// - Parameter arguments: What else the node is told.
    /// - Returns: What the histories of all come to.
    /// - Throws: That the node does not come to it.
    func audit(_ arguments: [String] = []) async throws -> HistoryChecker {
      let last = try node("audit", ["--audit", "--settle", "0"] + arguments)
      try await last.wait(for: "audited", within: .seconds(120))
      await last.leave()
      return try await judge()
    }

    /// Looks at the histories of all nodes, which have ended, and at what the witness saw.
    func judge() async throws -> HistoryChecker {
      var checker = HistoryChecker()
      let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      for file in files where file.hasSuffix(".history") {
        let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
        checker.take(text.split(separator: "\n").lazy.compactMap { HistoryEntry($0) })
      }
      checker.finish()
      checker.add(try await stale())
      return checker
    }

    /// The rows that were written in an epoch that was over, as the witness saw them.
    func stale() async throws -> [String] {
      let rows = try await sql(
        "SELECT id, version >> 40, epoch, version, was FROM stale LIMIT 20")
      return rows.split(separator: "\n").map { row in
        "a stale row was written (session, its epoch, the slice's, version, the last): \(row)"
      }
    }

    /// How often each node was buried, by its name.
    func burials() async throws -> [String: Int] {
      let rows = try await sql("SELECT name, count(*) FROM burial GROUP BY name")
      return Dictionary(
        rows.split(separator: "\n").compactMap { row in
          let columns = row.split(separator: "|")
          guard columns.count == 2, let count = Int(columns[1]) else { return nil }
          return (String(columns[0]), count)
        }, uniquingKeysWith: +)
    }

    /// Waits until a condition holds in the database, which tells no other program.
    func wait(until condition: String, within time: Duration = .seconds(60)) async throws {
      let end = ContinuousClock.now + time
      while try await sql(condition) != "t" {
        guard ContinuousClock.now < end else {
          throw TrialFailure("not so within \(time): \(condition)")
        }
        // It tells no other program.
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }
#endif
