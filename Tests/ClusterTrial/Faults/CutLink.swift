// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import PostgresTestServer
  import ProsceniumLocalPostgres

  /// A node is cut off from the database, and another one is not.
  ///
  /// It has to pause before the other has its slices, and comes back as a new node.
  struct CutLink: Fault {
    enum Way: Sendable {
      /// The link of a network namespace is taken down.
      case byLink
      /// A proxy passes nothing.
      case silent
      /// A proxy passes what the server sends.
      case answersOnly
      /// A proxy passes what the node sends.
      case questionsOnly
    }

    let way: Way

    var name: String {
      switch way {
      case .byLink: "a node cut off from the database, its link taken down"
      case .silent: "a node cut off from the database, by a proxy"
      case .answersOnly: "a node cut off from the database, answers pass"
      case .questionsOnly: "a node cut off from the database, questions pass"
      }
    }

    /// The server listens where a namespace finds it, as soon as a link has the address.
    static var serverSettings: [String: String] {
      NetworkLink.isPossible ? ["listen_addresses": "127.0.0.1, \(NetworkLink.here)"] : [:]
    }

    func run(on cluster: TrialCluster) async throws -> FaultOutcome {
      guard way == .byLink else {
        let proxy = try TCPProxy(to: cluster.server.port)
        defer { proxy.close() }
        let address = cluster.server.url(database: cluster.database, port: proxy.port)
        let node = try cluster.node("node0", through: address, Self.arguments)
        let other = try cluster.node("node1", Self.arguments)
        return try await run(on: cluster, node, other) { isCut in
          proxy.mode =
            switch (isCut, way) {
            case (false, _): .forward
            case (_, .answersOnly): .oneWay(toServer: false)
            case (_, .questionsOnly): .oneWay(toServer: true)
            case _: .blackHole
            }
        }
      }
      guard NetworkLink.isPossible else {
        return FaultOutcome(reason: "only root can make network namespaces")
      }
      let link = try await NetworkLink()
      let address = cluster.server.url(database: cluster.database)
        .replacing("@127.0.0.1:", with: "@\(NetworkLink.here):")
      try await cluster.server.accept(from: NetworkLink.there)
      // The namespace has no other addresses than those of the link.
      let node = try cluster.node(
        "node0", through: address, by: link.wrapper,
        Self.arguments + ["--host", NetworkLink.there])
      try await link.connect(node.identifier)
      let other = try cluster.node("node1", Self.arguments + ["--host", NetworkLink.here])
      return try await run(on: cluster, node, other) { isCut in
        try await link.set(isUp: !isCut)
      }
    }

    private static let arguments = ["--create", "20", "--settle", "2"]

    private func run(
      on cluster: TrialCluster, _ node: NodeProcess, _ other: NodeProcess,
      _ cut: (Bool) async throws -> Void
    ) async throws -> FaultOutcome {
      for node in [node, other] { try await node.wait(for: "made") }
      var outcome = FaultOutcome()
      // So that there is something to lose.
      try await Task.sleep(for: .seconds(1))
      let start = Date()
      try await cut(true)
      let paused = try await node.wait(for: "paused").timeIntervalSince(start)
      _ = try await other.wait(forLog: "a node was buried")
      let buried = Date().timeIntervalSince(start)
      outcome.figures.append(
        "paused after \(paused.formatted(2)) s, buried after \(buried.formatted(2)) s")
      if paused > buried { outcome.problems.append("it was buried before it paused") }
      _ = try await other.wait(forLog: "slices were taken up", after: 1)
      let served = node.count(of: "serves")
      let mended = Date()
      try await cut(false)
      let again = try await node.wait(for: "serves", after: served)
      outcome.figures.append(
        "back as a new node after \(again.timeIntervalSince(mended).formatted(2)) s")
      await other.leave()
      _ = try await node.wait(forLog: "slices were taken up", after: 1)
      await node.leave()
      let burials = try await cluster.burials()
      if burials != ["node0": 1] { outcome.problems.append("burials: \(burials)") }
      outcome.judge(try await cluster.audit())
      return outcome
    }
  }
#endif
