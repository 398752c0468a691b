// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ProsceniumJSON
  import ProsceniumLoad
  import ProsceniumPostgres
  import ProsceniumTerminal

  /// The status of a cluster, for people and for programs.
  struct ClusterStatusText {
    private let status: ClusterStatus
    private let place: String
    private let parked: [ClusterStatus.Deaths]

    /// How many characters wide the bar of all slices is.
    private static let barWidth = 24
    /// How many parked slices are listed.
    private static let listLimit = 20

    /// - Parameters:
    ///   - status: The status.
    ///   - place: Where the database is, without a password.
    ///   - deathLimit: How many owners of a slice may die until it is parked.
    init(_ status: ClusterStatus, place: String, deathLimit: Int) {
      self.status = status
      self.place = place
      parked = status.parked(after: deathLimit)
    }

    // MARK: - The verdict

    /// Whether every slice has an owner that lives and serves it, as far as the database knows.
    var isServed: Bool { problems.isEmpty }

    /// What is wrong, or that nothing is.
    var verdict: String {
      isServed
        ? "every slice has an owner that lives"
        : "not all is served: " + problems.joined(separator: ", ")
    }

    private var problems: [String] {
      var problems: [String] = []
      if !status.nodes.contains(where: { $0.state != .dead }) { problems.append("no node lives") }
      func add(_ count: Int, _ one: String, _ many: String) {
        if count == 0 { return }
        let slices = "\(NumberText.grouped(count)) \(count == 1 ? "slice" : "slices")"
        problems.append("\(slices) \(count == 1 ? one : many)")
      }
      add(status.freeSlices, "has no owner", "have no owner")
      add(status.slicesOfTheDead, "is a dead node's", "are dead nodes'")
      add(parked.count, "is parked", "are parked")
      for node in status.nodes where node.isSilent && node.slices > 0 {
        problems.append(
          "node \(node.number) with \(NumberText.grouped(node.slices)) slices"
            + " was last heard of \(Self.text(node.silence)) ago")
      }
      return problems
    }

    // MARK: - Tables

    /// The nodes, what there is, the parked slices, and the verdict in the last line.
    var table: String {
      nodes + "\n" + totals + "\n" + parkedSlices + verdict + "\n"
    }

    private var nodes: String {
      var table = TextTable([.right, .left, .left, .right, .left, .right, .left, .right, .left])
      table.add(
        "node", "name", "address", "build", "state", "slices", "of all", "heard of", "joined, UTC")
      for node in status.nodes {
        table.add(
          "\(node.number)", Terminal.printable(node.name),
          // That of a process which uses a store alone.
          node.address.isEmpty ? "-" : Terminal.printable(node.address),
          "\(node.build)", Self.state(of: node), NumberText.grouped(node.slices),
          bar(node.slices), Self.text(node.silence) + " ago",
          node.joined.replacing("T", with: " ").replacing("Z", with: ""))
      }
      if status.freeSlices > 0 {
        table.add(
          "-", "no owner", "-", "-", "-", NumberText.grouped(status.freeSlices),
          bar(status.freeSlices), "-", "-")
      }
      return table.description
    }

    private static func state(of node: ClusterStatus.Node) -> String {
      node.isSilent ? "silent" : node.state.rawValue
    }

    private var totals: String {
      var table = TextTable([.left, .right, .left])
      table.add("slices", status.slices)
      table.add("  owned", status.ownedSlices, "by nodes that were not buried")
      table.add("  no owner", status.freeSlices, "on the way to one, if a node lives")
      table.add("  of dead nodes", status.slicesOfTheDead)
      table.add("  parked", parked.count, "not served until they are released")
      table.add(
        "  with deaths", status.deaths.count - parked.count,
        "of owners, forgotten after ten minutes without another one")
      table.add("sessions", status.sessions)
      table.add("tables", NumberText.bytes(status.bytes))
      table.add("map", Int(clamping: status.map), "another one after each change of an owner")
      table.add("format", status.format)
      return table.description
    }

    private var parkedSlices: String {
      if parked.isEmpty { return "" }
      var table = TextTable([.right, .right, .left])
      table.add("parked slice", "deaths", "owner")
      for slice in parked.prefix(Self.listLimit) {
        table.add("\(slice.slice)", "\(slice.count)", slice.owner.map { "node \($0)" } ?? "-")
      }
      let more = parked.count - Self.listLimit
      return table.description + (more > 0 ? "… and \(NumberText.grouped(more)) more\n" : "") + "\n"
    }

    /// A part of all slices, drawn.
    private func bar(_ count: Int) -> String {
      let halves = max(count > 0 ? 1 : 0, count * Self.barWidth * 2 / max(status.slices, 1))
      return String(repeating: "█", count: halves / 2) + (halves % 2 == 1 ? "▌" : "")
    }

    private static func text(_ time: Duration) -> String {
      let seconds = time / .seconds(1)
      return switch seconds {
      case ..<10: NumberText.fixed(seconds, places: 1) + " s"
      case ..<120: NumberText.fixed(seconds, places: 0) + " s"
      case ..<7_200: NumberText.fixed(seconds / 60, places: 0) + " min"
      case ..<172_800: NumberText.fixed(seconds / 3_600, places: 0) + " h"
      default: NumberText.grouped(Int(seconds / 86_400)) + " d"
      }
    }

    // MARK: - JSON

    /// Everything as an object.
    var json: JSONValue {
      .object([
        JSONMember("store", .text(place)), JSONMember("version", .integer(status.format)),
        JSONMember("isServed", .bool(isServed)), JSONMember("verdict", .text(verdict)),
        JSONMember("nodes", .list(status.nodes.map(Self.json))),
        JSONMember(
          "slices",
          .object([
            JSONMember("all", .integer(status.slices)),
            JSONMember("owned", .integer(status.ownedSlices)),
            JSONMember("free", .integer(status.freeSlices)),
            JSONMember("ofDeadNodes", .integer(status.slicesOfTheDead)),
            JSONMember("parked", .integer(parked.count)),
          ])),
        JSONMember("deaths", .list(status.deaths.map(json))),
        JSONMember("sessions", .integer(status.sessions)),
        JSONMember("databaseBytes", .integer(status.bytes)),
        JSONMember("map", .integer(Int(clamping: status.map))),
        JSONMember("moves", .integer(status.moves)),
      ])
    }

    private static func json(_ node: ClusterStatus.Node) -> JSONValue {
      .object([
        JSONMember("node", .integer(Int(node.number))), JSONMember("name", .text(node.name)),
        JSONMember("address", .text(node.address)),
        JSONMember("build", .integer(Int(node.build))),
        JSONMember("state", .text(node.state.rawValue)),
        JSONMember("isSilent", .bool(node.isSilent)), JSONMember("slices", .integer(node.slices)),
        JSONMember("secondsSinceBeat", .real(node.silence / .seconds(1))),
        JSONMember("joined", .text(node.joined)),
      ])
    }

    private func json(_ death: ClusterStatus.Deaths) -> JSONValue {
      .object([
        JSONMember("slice", .integer(death.slice)), JSONMember("deaths", .integer(death.count)),
        JSONMember("node", death.owner.map { .integer(Int($0)) } ?? .null),
        JSONMember("isParked", .bool(parked.contains { $0.slice == death.slice })),
      ])
    }
  }
#endif
