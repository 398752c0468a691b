// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPredicate
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumCluster

  /// Events whose content a session of any node may show.
  @Suite struct ContentRoutingTests {
    /// Delivers an event that opens a URL.
    private static func open(
      _ url: String, at node: ClusterNode
    ) async throws -> SessionIdentifier {
      try await node.application.deliver(.url(OpenURLContext(url))).id
    }

    /// The two nodes, as soon as both serve, and know all slices of each other.
    private static func nodes(
      _ cluster: DirectedCluster, _ life: NodeLife
    ) async throws -> (ClusterNode, ClusterNode) {
      let node = try await cluster.served(by: life)
      let session = try await cluster.foreignSession(to: node)
      let other = try #require(cluster.world.lives.first { $0.isOwner(of: session) }?.running)
      return (node, other)
    }

    /// Makes a session of a node that prefers some content, wherever the content's place is, and
    /// waits until the other nodes know it.
    private static func session(
      preferring url: String, at node: ClusterNode, _ cluster: DirectedCluster
    ) async throws -> SessionIdentifier {
      let session = try await node.application.host.newSession().id
      let content = try ContentPredicate.equals(url)
      _ = try await node.application.updateSession(session) {
        $0.activationConditions = SceneActivationConditions(can: .false, prefers: content)
      }
      // Its conditions are durable then.
      try await node.application.sendDurably("9 1", to: session)
      await cluster.world.sleep(.milliseconds(50))
      return session
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `an event finds the session that shows its content on any node`(seed: UInt64) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let (one, two) = try await Self.nodes(cluster, life)
        var owners: Set<String> = []
        for number in 0..<30 {
          let first = try await Self.open("doc/\(number)", at: number % 2 == 0 ? one : two)
          let second = try await Self.open("doc/\(number)", at: number % 2 == 0 ? two : one)
          #expect(first == second)
          owners.insert(cluster.world.lives.first { $0.isOwner(of: first) }?.name ?? "none")
        }
        #expect(owners == ["1", "2"])
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    /// Activates a session for some content.
    private static func activate(
      _ content: String, at node: ClusterNode
    ) async throws -> SessionIdentifier {
      var activity = UserActivity("read")
      activity.targetContentIdentifier = content
      return try await node.application.activateSceneSession(for: .init(userActivity: activity)).id
    }

    @Test(arguments: 31...33 as ClosedRange<UInt64>)
    func `an activation finds the session that prefers its content on any node`(
      seed: UInt64
    ) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let (one, two) = try await Self.nodes(cluster, life)
        let session = try await Self.session(preferring: "doc/1", at: one, cluster)
        #expect(try await Self.activate("doc/1", at: two) == session)
        #expect(try await Self.activate("doc/1", at: one) == session)
        // A request that is not awaited finds it too.
        var activity = UserActivity("read")
        activity.targetContentIdentifier = "doc/1"
        try await one.application.host.perform(.background(session))
        let failures = Guarded<[SceneError]>([])
        two.application.submit(.activate(.init(userActivity: activity))) { error in
          failures.withLock { $0.append(error) }
        }
        await cluster.world.sleep(.milliseconds(200))
        #expect(one.application.scene(for: session)?.activationState == .foregroundActive)
        #expect(failures.withLock { $0.isEmpty })
        // One that is discarded is found no longer.
        try await one.application.requestSceneSessionDestruction(session)
        #expect(try await Self.activate("doc/1", at: two) != session)
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test(arguments: 34...36 as ClosedRange<UInt64>)
    func `an activation for new content makes its session at the content's place`(
      seed: UInt64
    ) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let (one, two) = try await Self.nodes(cluster, life)
        var owners: Set<String> = []
        for number in 0..<20 {
          let node = number % 2 == 0 ? one : two
          let session = try await Self.activate("new/\(number)", at: node)
          #expect(node.whereabouts(of: session) == node.whereabouts(ofContent: "new/\(number)"))
          owners.insert(cluster.world.lives.first { $0.isOwner(of: session) }?.name ?? "none")
        }
        #expect(owners == ["1", "2"])
        // What belongs to an owner is at the owner's place, whatever it shows.
        var activity = UserActivity("read")
        activity.targetContentIdentifier = "new/1"
        var request = SceneSessionActivationRequest(userActivity: activity)
        request.options.owner = "Ada"
        let owned = try await one.application.activateSceneSession(for: request).id
        #expect(one.whereabouts(of: owned) == one.whereabouts(ofOwner: "Ada"))
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test(arguments: 4...8 as ClosedRange<UInt64>)
    func `two events for new content at the same instant make one session`(seed: UInt64) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let (one, two) = try await Self.nodes(cluster, life)
        for number in 0..<100 {
          async let first = Self.open("doc/\(number)", at: one)
          async let second = Self.open("doc/\(number)", at: two)
          let made = try await (first, second)
          #expect(made.0 == made.1)
        }
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test func `the order of the rules holds across nodes`() throws {
      let cluster = DirectedCluster(seed: 9, links: true)
      try cluster.run { cluster, life in
        let (one, two) = try await Self.nodes(cluster, life)
        let own = try await one.application.host.newSession().id
        let foreign = try await cluster.foreignSession(to: one)
        func set(
          _ session: SessionIdentifier, of node: ClusterNode, can: String, prefers: String
        ) async throws {
          let conditions = SceneActivationConditions(
            can: try ContentPredicate(format: can), prefers: try ContentPredicate(format: prefers))
          _ = try await node.application.updateSession(session) {
            $0.activationConditions = conditions
          }
        }
        try await set(
          own, of: one, can: "SELF BEGINSWITH 'doc/'",
          prefers: "SELF == 'doc/own' OR SELF LIKE '*both'")
        try await set(
          foreign, of: two, can: "SELF CONTAINS 'oc/'",
          prefers: "SELF ENDSWITH[c] 'FAR' OR SELF LIKE '*both'")
        await cluster.world.sleep(.milliseconds(100))
        #expect(try await Self.open("doc/any", at: one) == own)
        #expect(try await Self.open("doc/any", at: two) == foreign)
        #expect(try await Self.open("an oc/any", at: one) == foreign)
        #expect(try await Self.open("doc/far", at: one) == foreign)
        #expect(try await Self.open("doc/own", at: two) == own)
        // Both prefer it: the one that is in the foreground comes first.
        try await one.application.host.perform(.background(own))
        #expect(try await Self.open("doc/both", at: one) == foreign)
        try await one.application.host.perform(.open(own))
        try await one.application.host.perform(.background(foreign))
        #expect(try await Self.open("doc/both", at: two) == own)
        let explanation = try one.explain("doc/far")
        #expect(explanation.destination == .node("2") && explanation.rule == .prefers)
        #expect(try one.explain("doc/own").destination == .here)
        #expect(try two.explain("doc/both").destination == .bestOf(["1"]))
        #expect(try one.explain("an oc/any").showing == ["2"])
        if case .place = try one.explain("new").destination {} else { Issue.record("not new") }
        let made = try await Self.open("new", at: one)
        #expect(made != own && made != foreign)
        #expect(try await Self.open("new", at: two) == made)
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test(arguments: 10...29 as ClosedRange<UInt64>)
    func `content is found while its session moves to another node`(seed: UInt64) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let (one, two) = try await Self.nodes(cluster, life)
        var sessions: [SessionIdentifier] = []
        for number in 0..<10 {
          sessions.append(try await Self.session(preferring: "doc/\(number)", at: two, cluster))
        }
        let lasting = Guarded(true)
        try await two.drain()
        var opened = 0
        while lasting.withLock({ $0 }) {
          let number = opened % 10
          opened += 1
          #expect(try await Self.open("doc/\(number)", at: one) == sessions[number])
          await cluster.world.sleep(.milliseconds(cluster.world.number(below: 10)))
          lasting.withLock { $0 = two.status.served > 0 || opened < 30 }
        }
        for number in 0..<10 {
          #expect(try await Self.open("doc/\(number)", at: one) == sessions[number])
        }
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test(arguments: 30...39 as ClosedRange<UInt64>)
    func `content of a node that has died is waited for, and not shown twice`(seed: UInt64) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let (one, two) = try await Self.nodes(cluster, life)
        var sessions: [SessionIdentifier] = []
        for number in 0..<10 {
          sessions.append(try await Self.session(preferring: "doc/\(number)", at: two, cluster))
        }
        let dead = try #require(cluster.world.lives.first { $0.running === two })
        dead.kill()
        for number in 0..<10 {
          while true {
            do throws(SceneError) {
              let session = try await one.application.deliver(
                .url(OpenURLContext("doc/\(number)"))
              ).id
              #expect(session == sessions[number])
              break
            } catch {
              // It was on its way to the node that has died.
              #expect([.outcomeUnknown, .systemBusy].contains(error.code))
            }
          }
        }
      }
    }

    @Test func `an event in a group goes to the node that has the group's place`() throws {
      let cluster = DirectedCluster(seed: 40, links: true)
      try cluster.run { cluster, life in
        let (one, two) = try await Self.nodes(cluster, life)
        for number in 0..<16 {
          let group = SceneGroup(rawValue: "group \(number)")
          let event = SceneEvent.url(OpenURLContext("doc/1"))
          let first = try await one.application.deliver(event, in: group)
          let second = try await two.application.deliver(event, in: group)
          #expect(first.id == second.id && first.group == group)
        }
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test func `an event beyond what may wait for other nodes is refused, and not sent`() throws {
      let cluster = DirectedCluster(seed: 42, links: true)
      try cluster.run { cluster, life in
        let (one, two) = try await Self.nodes(cluster, life)
        let session = try await Self.session(preferring: "doc/1", at: two, cluster)
        let links = try #require(one.links)
        let limit = ContentForwarding.limit
        let event = SceneEvent.url(
          OpenURLContext("doc/1", options: OpenURLOptions(sourceApplication: "refused")))
        links.routedCount.withLock { $0 = limit }
        let error = await #expect(throws: SceneError.self) {
          try await one.application.deliver(event)
        }
        #expect(error?.code == .systemBusy)
        await cluster.world.sleep(.milliseconds(100))
        #expect(cluster.world.tell(\.events) == 0)
        #expect(links.routedCount.withLock { $0 } == limit)
        links.routedCount.withLock { $0 = limit - 1 }
        #expect(try await one.application.deliver(event).id == session)
        #expect(links.routedCount.withLock { $0 } == limit - 1)
      }
    }

    @Test func `an event that is submitted reaches a session of another node`() throws {
      let cluster = DirectedCluster(seed: 41, links: true)
      try cluster.run { cluster, life in
        let (one, two) = try await Self.nodes(cluster, life)
        var number = 0
        var session: SessionIdentifier
        repeat {
          number += 1
          session = try await Self.open("doc/\(number)", at: two)
        } while one.whereabouts(of: session) == .here
        let failures = Guarded<[SceneError]>([])
        let before = cluster.world.tell(\.events)
        one.application.submit(
          .deliver(
            .url(OpenURLContext("doc/\(number)", options: .init(sourceApplication: "submitted"))),
            source: nil)
        ) { error in failures.withLock { $0.append(error) } }
        while cluster.world.tell(\.events) == before, cluster.world.now < .seconds(60) {
          await cluster.world.sleep(.milliseconds(10))
        }
        #expect(cluster.world.tell(\.events) == before + 1)
        #expect(failures.withLock { $0 }.isEmpty)
      }
    }
  }
#endif
