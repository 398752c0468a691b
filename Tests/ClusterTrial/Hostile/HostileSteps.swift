// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumPrimitives

  /// What hostile nodes do once each, and the reason for which it has to end.
  struct HostileSteps: Sendable {
    let attack: HostileAttack
    let ended: EndedConnections
    /// A node that lives, and is no accomplice.
    let other: ClusterMember

    private var victim: ClusterMember { attack.victim }
    private var number: Int32 { attack.node.number }

    private static func greeting(
      from sender: Int32, to receiver: Int32, format: UInt8 = 1
    ) -> [UInt8] {
      var bytes = FrameFuzz.bytes(of: .greeting(from: sender, to: receiver, count: 1))
      bytes[5] = format
      return bytes
    }

    /// Does all of it.
    ///
    /// - Parameter dead: A node that is no member any more.
    /// - Throws: What a connection refuses that should be taken.
    func run(_ dead: HostileNode) async throws {
      let foreign = ForeignProcess()
      try await foreign.open()
      let notMember = "expected a node that lives and its certificate"
      try await expect(
        notMember, attack.node, Self.greeting(from: other.number, to: victim.number))
      try await expect(
        "expected a greeting for node", attack.node,
        Self.greeting(from: number, to: other.number))
      try await expect(
        "expected version # of the form", attack.node,
        Self.greeting(from: number, to: victim.number, format: 9))
      try await expect(
        "expected a frame of at most # bytes", attack.node, [255, 255, 255, 255])
      try await expect("expected a greeting", attack.node, FrameFuzz.bytes(of: .goodbye))
      // Nothing, for as long as a greeting may take.
      try await expect("expected a greeting", attack.node, [])
      try await expect(notMember, dead, Self.greeting(from: dead.number, to: victim.number))
      try await expect(notMember, foreign, Self.greeting(from: number, to: victim.number))
      await foreign.close()
      try await confirmNothing()
    }

    /// Writes bytes to a new connection, and expects it to be ended for a reason.
    private func expect(
      _ reason: String, _ caller: any HostileCaller, _ bytes: [UInt8]
    ) async throws {
      let connection = try await caller.connect(to: victim)
      try await expectEnd(reason, of: connection) {
        if !bytes.isEmpty { try await connection.write(bytes) }
      }
    }

    private func expectEnd(
      _ reason: String, of connection: any LinkConnection, _ body: () async throws -> Void
    ) async throws {
      let before = ended.count(of: reason)
      try await body()
      await withDiscardingTaskGroup { group in
        // Ends when the other node has ended the connection.
        group.addTask {
          if (try? await Task.sleep(for: HostileAttack.patience)) != nil { connection.close() }
        }
        await HostileAttack.read(connection)
        group.cancelAll()
      }
      connection.close()
      for _ in 0..<100 where ended.count(of: reason) == before {
        // The reason is written down at about the same time.
        try await Task.sleep(for: .milliseconds(10))
      }
      if ended.count(of: reason) == before {
        attack.problems.withLock { $0.append("expected an end for the reason: \(reason)") }
      }
    }

    /// Sends what cannot be taken, and never says that it knows.
    private func confirmNothing() async throws {
      let (connection, confirmed) = try await attack.greet()
      var last = confirmed
      let reason = "items that are not confirmed"
      var random = SplitMix64(seed: last)
      try await expectEnd(reason, of: connection) {
        async let answers: Void = HostileAttack.read(connection)
        for _ in 0...LinkInbox.limit / 1_024 {
          let entries = (0..<1_024).map { _ in
            let session = SessionIdentifier(high: random.next(), low: random.next())
            return LinkWindow<LinkItem>.Entry(
              item: .message("0", to: session, .plain), slice: nil, size: 33, restarts: true)
          }
          let batch = LinkFrame.items(
            .init(first: last + 1, confirmed: confirmed, entries: entries))
          // The last one is refused.
          guard (try? await connection.write(FrameFuzz.bytes(of: batch))) != nil else { break }
          last += 1_024
        }
        await answers
      }
    }

    /// Asks and asks, and never takes an answer, until the node has no room for more.
    func askWithoutEnd() async throws {
      var (connection, last) = try await attack.greet()
      let question = LinkWindow<LinkItem>.Entry(
        item: .question("", ticket: 1), slice: nil, size: 0, restarts: false)
      let entries = [LinkWindow<LinkItem>.Entry](repeating: question, count: 1_024)
      let reason = "expected a node that takes the answers to its questions"
      try await expectEnd(reason, of: connection) {
        // Twice as many as there is room for.
        for _ in 0..<4 * ForwardLedger<LinkItem>.Limit().count / entries.count {
          let batch = LinkFrame.items(.init(first: last + 1, confirmed: last, entries: entries))
          guard (try? await connection.write(FrameFuzz.bytes(of: batch))) != nil else { break }
          last += UInt64(entries.count)
        }
      }
    }

    /// Answers what other nodes were asked, by guessing under which numbers they were.
    func forgeReplies(upTo count: Int) async throws {
      try await send(count) { number in
        .reply(ticket: UInt64(number + 1), .success(SceneMessage("forged")))
      }
    }

    /// Calls sessions, and never takes an answer.
    func takeNoAnswers(calls count: Int, to sessions: [SessionIdentifier]) async throws {
      try await send(count) { number in
        .message(
          "0", to: sessions[number % sessions.count], .call(ticket: UInt64(number)))
      }
    }

    private func send(_ count: Int, _ item: (Int) -> LinkItem) async throws {
      var (connection, last) = try await attack.greet()
      async let answers: Void = HostileAttack.read(connection)
      for start in stride(from: 0, to: count, by: 64) {
        let entries = (start..<start + 64).map { number in
          let item = item(number)
          return LinkWindow<LinkItem>.Entry(item: item, slice: nil, size: 0, restarts: false)
        }
        let batch = LinkFrame.items(.init(first: last + 1, confirmed: last, entries: entries))
        try await connection.write(FrameFuzz.bytes(of: batch))
        last += 64
      }
      connection.close()
      await answers
    }
  }

  /// A process that opens connections with a node.
  protocol HostileCaller: Sendable {
    func connect(to member: ClusterMember) async throws -> any LinkConnection
  }

  extension HostileNode: HostileCaller {}

  /// A process that the database does not name.
  struct ForeignProcess: HostileCaller {
    private let network = TLSNetwork(at: "127.0.0.1", port: 0, published: nil)

    func open() async throws { _ = try await network.open { $0.close() } }

    func connect(to member: ClusterMember) async throws -> any LinkConnection {
      try await network.connect(to: member)
    }

    func close() async { await network.close() }
  }
#endif
