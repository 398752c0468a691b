// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumDashboard
import ProsceniumPrimitives
import Testing

/// The nodes of a cluster on a dashboard, next to scenes and without them.
@Suite(.timeLimit(.minutes(10))) struct DashboardClusterTests {
  /// A cluster that the tests describe.
  private final class Nodes: Sendable {
    struct Refusal: Error, CustomStringConvertible {
      let description = "it is the last one"
    }

    let drained = Guarded<[Int32]>([])
    let status = Guarded(
      DashboardCluster.View(
        nodes: [
          .init(number: 4, name: "oak<script>", build: 41, state: "live", slices: 700),
          .init(number: 7, name: "elm", build: 42, state: "dead", slices: 0, canDrain: false),
        ], slices: 1_024, moves: 2_048))

    func drain(_ node: Int32) throws {
      if node == 7 { throw Refusal() }
      drained.withLock { $0.append(node) }
    }

    var cluster: DashboardCluster {
      let nodes = self
      // The code of Docs/DASHBOARD.md.
      let cluster = DashboardCluster(
        view: { nodes.status.withLock { $0 } },
        drain: { number in try nodes.drain(number) })
      return cluster
    }
  }

  private static func run(
    _ nodes: Nodes, _ settings: DashboardSettings = .acting,
    _ body: @escaping @Sendable (PageClient) async throws -> Void
  ) async throws {
    let server = DashboardServer(of: nodes.cluster, clock: ContinuousClock(), settings: settings)
    try await withThrowingTaskGroup { group in
      // Serves until the test has ended.
      group.addTask { try await server.run() }
      let client = PageClient(port: try await DashboardStage.port(of: server))
      let result = await Result { try await body(client) }
      group.cancelAll()
      try await group.waitForAll()
      try result.get()
    }
  }

  private static func act(
    _ client: PageClient, _ action: String, _ body: String, token: String
  ) async throws -> PageReply {
    try await client.send("POST", "/actions/" + action, ["X-Proscenium-Token": token], body: body)
  }

  @Test func `a page of nodes shows their slices, and nothing of scenes`() async throws {
    try await Self.run(Nodes()) { client in
      let body = try await client.send("GET", "/").body
      #expect(body.contains("id=\"db-nodes\"") && body.contains("id=\"db-token\""))
      for part in ["db-scenes", "db-events", "db-counts", "db-keep", "db-count"] {
        #expect(!body.contains("id=\"\(part)\""), "\(part)")
      }
      var page = try await PageReader(client)
      let update = try await page.update()
      let nodes = try #require(update?["nodes"])
      #expect(nodes.contains("700 of 1,024") && nodes.contains("2,048"))
      #expect(nodes.contains("oak&lt;script&gt;") && !nodes.contains("<script>"))
      #expect(nodes.contains("data-node=\"4\"") && !nodes.contains("data-node=\"7\""))
      #expect(update?["scenes"] == nil)
      try page.close()
    }
  }

  @Test func `a button drains a node with the token, and says why it does not`() async throws {
    let nodes = Nodes()
    let token = DashboardToken.ofTests.text
    try await Self.run(nodes) { client in
      #expect(try await Self.act(client, "drain", "node=4", token: "0").code == "wrongToken")
      let reply = try await Self.act(client, "drain", "node=4", token: token)
      #expect(reply.status == 202 && reply.message?.contains("Node 4") == true)
      let refusal = try await Self.act(client, "drain", "node=7", token: token)
      #expect(refusal.code == "requestRefused")
      #expect(refusal.message == "node 7 cannot be drained: it is the last one")
      for body in ["node=0", "node=2147483648", "session=4", "node=four"] {
        #expect(try await Self.act(client, "drain", body, token: token).code == "badParameter")
      }
      // What is about scenes has nothing to act on.
      #expect(
        try await Self.act(client, "pressure", "keep=50", token: token).code == "badParameter")
    }
    #expect(nodes.drained.withLock { $0 } == [4])
  }

  @Test func `a page that cannot act has no buttons`() async throws {
    try await Self.run(Nodes(), DashboardSettings()) { client in
      var page = try await PageReader(client)
      let nodes = try await page.update()?["nodes"]
      #expect(nodes?.contains("<button") == false)
      try page.close()
      #expect(try await Self.act(client, "drain", "node=4", token: "0").code == "readOnly")
    }
  }

  @Test func `nodes are shown next to the scenes of an application`() async throws {
    let nodes = Nodes()
    try await DashboardStage.run(cluster: nodes.cluster) { stage in
      _ = try await stage.application.open("Ada")
      var page = try await PageReader(stage.client)
      await stage.tick()
      let update = try await page.update()
      #expect(update?["nodes"]?.contains("elm") == true)
      #expect(update?["scenes"]?.contains("Ada") == true)
      try page.close()
    }
  }

  @Test func `without nodes nothing is drained`() async throws {
    try await DashboardStage.run { stage in
      #expect(try await stage.act("drain", "node=4").code == "badParameter")
      let body = try await stage.client.send("GET", "/").body
      #expect(!body.contains("db-nodes"))
    }
  }
}
