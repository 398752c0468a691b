// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ArgumentParser
  import ProsceniumJSON
  import ProsceniumPostgres
  import ProsceniumTerminal

  /// `proscenium cluster status`: shows the nodes and the slices of a cluster.
  struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Shows the nodes of a cluster, and which slices they own.",
      discussion: """
        Each node gives a line:

          node        its number and its name
          state       live, draining, or dead: buried by another node
          heard of    how long ago, by the database's clock; nothing is decided by it
          slices      how many it owns, drawn and counted

        A slice is parked if its owners died one after the other, three as a rule: 'release' lets \
        it be served again. The last line is the verdict, and the exit code says the same:

          served      0  each slice has an owner that was not buried
          not served  1  some slices have none, or are parked
          unusable    2  no store of this version is reached

        EXAMPLES
          proscenium cluster status postgres://app@db/sessions
          proscenium cluster status postgres://app@db/sessions --json | jq .nodes
        """)

    @Argument(help: "The address of the database.")
    var address: String

    @Flag(help: "Write one JSON object.")
    var json = false

    func run() async throws {
      let status = try await ClusterStatus.read(address)
      let text = ClusterStatusText(status)
      try Terminal.writeOutput(json ? "\(text.json)\n" : text.table)
      if !text.isServed { throw ExitCode(1) }
    }
  }

  /// `proscenium cluster release`: lets parked slices be served again.
  struct ReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "release",
      abstract: "Lets slices be served again whose owners died one after the other.",
      discussion: """
        A session that ends its process would end that of node after node: after three owners in a \
        short time, as a rule, its slice is parked. Find what ended them first.

        EXAMPLES
          proscenium cluster release postgres://app@db/sessions 417
        """)

    @Argument(help: "The address of the database.")
    var address: String

    @Argument(help: "The numbers of the slices, as 'status' shows them.")
    var slices: [Int]

    func validate() throws {
      if let wrong = slices.first(where: { !(0...65_535).contains($0) }) {
        throw ValidationError("expected the number of a slice, 0 to 1023 as a rule, found \(wrong)")
      }
    }

    func run() async throws {
      for slice in slices {
        let deaths = try await ClusterStatus.release(slice, at: address)
        let text =
          deaths == 0
          ? "slice \(slice): nothing to release\n"
          : "slice \(slice): released after \(deaths) \(deaths == 1 ? "death" : "deaths")\n"
        try Terminal.writeOutput(text)
      }
    }
  }

  /// The status of a cluster as a table, and as JSON.
  struct ClusterStatusText {
    private let status: ClusterStatus
    /// How many owners die until a slice is parked, as a rule.
    private static let usualLimit = 3

    init(_ status: ClusterStatus) {
      self.status = status
    }

    private var parked: [(slice: Int, count: Int)] {
      status.deaths.filter { $0.count >= Self.usualLimit }
    }

    /// Whether each slice is served, as far as the database knows.
    var isServed: Bool { status.free == 0 && status.lost == 0 && parked.isEmpty }

    var table: String {
      let rows = status.nodes.map { node in
        [
          "\(node.number) \(node.name)", node.address.isEmpty ? "-" : node.address,
          "\(node.build)", node.state.rawValue,
          Self.text(node.age), Self.bar(node.slices, of: status.slices) + " \(node.slices)",
        ]
      }
      let head = ["node", "address", "build", "state", "heard of", "slices"]
      let widths = head.indices.map { column in
        ([head] + rows).map { $0[column].count }.max() ?? 0
      }
      var lines = ([head] + rows).map { row in
        zip(row, widths).map { text, width in
          text + String(repeating: " ", count: width - text.count)
        }.joined(separator: "  ").trimmingEnd
      }
      if status.nodes.isEmpty { lines = ["no node has joined, or all have left"] }
      lines.append("")
      lines.append(
        "\(status.slices) slices: \(status.free) without an owner, \(status.lost) of dead nodes;"
          + " owners changed \(status.map) times")
      for (slice, count) in status.deaths.prefix(20) {
        lines.append(
          "slice \(slice): \(count) of its owners died"
            + (count >= Self.usualLimit ? ", it is parked" : ""))
      }
      if status.deaths.count > 20 { lines.append("and \(status.deaths.count - 20) more") }
      lines.append(isServed ? "served" : "not served")
      return lines.joined(separator: "\n") + "\n"
    }

    private static func text(_ age: Duration) -> String {
      let milliseconds =
        age.components.seconds * 1_000
        + age.components.attoseconds / 1_000_000_000_000_000
      return switch milliseconds {
      case ..<10_000: "\(milliseconds) ms ago"
      case ..<600_000: "\(milliseconds / 1_000) s ago"
      default: "\(milliseconds / 60_000) min ago"
      }
    }

    private static func bar(_ count: Int, of total: Int) -> String {
      String(repeating: "█", count: (count * 24 + total - 1) / max(total, 1))
    }

    var json: JSONValue {
      let nodes = status.nodes.map { node in
        JSONValue.object([
          JSONMember("node", .integer(Int(node.number))), JSONMember("name", .text(node.name)),
          JSONMember("address", .text(node.address)),
          JSONMember("build", .integer(Int(node.build))),
          JSONMember("state", .text(node.state.rawValue)),
          JSONMember("slices", .integer(node.slices)),
          JSONMember("secondsSinceBeat", .real(node.age / .seconds(1))),
        ])
      }
      let deaths = status.deaths.map { slice, count in
        JSONValue.object([
          JSONMember("slice", .integer(slice)), JSONMember("deaths", .integer(count)),
        ])
      }
      return .object([
        JSONMember("nodes", .list(nodes)), JSONMember("slices", .integer(status.slices)),
        JSONMember("free", .integer(status.free)),
        JSONMember("ofDeadNodes", .integer(status.lost)),
        JSONMember("map", .integer(Int(clamping: status.map))),
        JSONMember("deaths", .list(deaths)), JSONMember("isServed", .bool(isServed)),
      ])
    }
  }

  extension String {
    fileprivate var trimmingEnd: String {
      String(reversed().drop { $0 == " " }.reversed())
    }
  }
#endif
