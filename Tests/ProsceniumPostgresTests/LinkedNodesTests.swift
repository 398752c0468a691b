// SPDX-License-Identifier: Apache-2.0

#if Links
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import Testing

  /// Nodes that bring messages to one another over TLS, all in this process.
  @Suite(.timeLimit(.minutes(5))) struct LinkedNodesTests {
    private static func cluster(lease: Duration = .seconds(60)) async throws -> TestCluster {
      TestCluster(try await .make(), lease: lease) { .tls(at: "127.0.0.1", port: 0) }
    }

    @Test func `messages, calls and durable ones reach a session of another node, in order`()
      async throws
    {
      let cluster = try await Self.cluster()
      try await cluster.nodes("a", "b") { a, b in
        let session = try await a.application.activateSceneSession().id
        #expect(b.whereabouts(of: session) == .node(address: "host-a:1"))
        for _ in 1...1_000 { try await b.application.sendWithBackpressure("count", to: session) }
        try await b.application.sendDurably("count", to: session)
        #expect(try await b.application.call("count", to: session).string == "1002")
        #expect(try await a.application.call("count", to: session).string == "1003")
      }
    }

    @Test func `a call for a session that is not there is refused by its node`() async throws {
      let cluster = try await Self.cluster()
      try await cluster.nodes("a", "b") { a, b in
        let session = try await a.application.activateSceneSession().id
        let unknown = SessionIdentifier(high: session.high, low: session.low &+ 1)
        let error = await #expect(throws: SceneError.self) {
          try await b.application.call("count", to: unknown)
        }
        #expect(error?.code == .sessionNotOpen)
      }
    }

    @Test func `what waits for a node that dies goes on with the next owner, or is unknown`()
      async throws
    {
      let cluster = try await Self.cluster(lease: .seconds(1))
      try await cluster.nodes("a", "b") { a, b in
        let session = try await a.application.activateSceneSession().id
        try await b.application.sendDurably("count", to: session)
        a.abandon()
        // The first one may be on its way when the node dies.
        while true {
          do {
            let answer = try await b.application.call("count", to: session)
            #expect(answer.string == "2")
            return
          } catch let error as SceneError {
            #expect(error.code == .outcomeUnknown)
          }
        }
      }
    }

    @Test func `a process with another certificate than the database names is no node`()
      async throws
    {
      let cluster = try await Self.cluster()
      try await cluster.nodes("a", "b") { a, b in
        let session = try await a.application.activateSceneSession().id
        _ = try await b.application.call("count", to: session)
        // From now on the others look for another process there.
        _ = try await cluster.database.sql(
          "UPDATE proscenium.node SET fingerprint = sha256('x') WHERE name = 'a'")
        var timeouts = 0
        while timeouts < 3 {
          // Until the node has looked, the message arrives, or its outcome is unknown.
          let result = await Result {
            try await b.application.call("count", to: session, within: .milliseconds(300))
          }
          guard case .failure(let error as SceneError) = result, error.code == .timedOut else {
            timeouts = 0
            continue
          }
          timeouts += 1
        }
      }
    }
  }
#endif
