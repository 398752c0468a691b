// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumSimulation
  import Testing

  @testable import ProsceniumCluster

  /// Calls of another node that wait for something, and how many of them a node takes.
  @Suite struct CallLimitTests {
    /// Calls more than the limit.
    private static let excess = 100

    /// Speaks for a node that is frozen.
    private struct Speaker {
      let connection: any LinkConnection
      let session: SessionIdentifier
      let sliceBits: Int

      /// Opens a connection in the name of a node.
      init(
        for life: NodeLife, to member: ClusterMember, session: SessionIdentifier, sliceBits: Int
      ) async throws {
        connection = try await life.network.connect(to: member)
        (self.session, self.sliceBits) = (session, sliceBits)
        try await write(
          .greeting(from: try #require(life.number), to: member.number, count: 1))
        guard case .welcome(_, LinkAnswer(last: 0)) = try await read() else {
          throw DirectedCluster.Failure("expected a welcome")
        }
      }

      private func write(_ frame: LinkFrame) async throws {
        var bytes: [UInt8] = []
        frame.write(to: &bytes)
        try await connection.write(bytes)
      }

      func read() async throws -> LinkFrame {
        guard let bytes = try await connection.read(upTo: LinkFrame.sizeLimit) else {
          throw DirectedCluster.Failure("expected a frame, found the end")
        }
        return try LinkFrame(reading: bytes, sliceBits: sliceBits)
      }

      /// Sends messages that are answered when they are durable.
      ///
      /// - Returns: What of them is refused.
      func send(_ numbers: ClosedRange<UInt64>) async throws -> [LinkAnswer.Refused] {
        let slice = session.slice(bits: sliceBits)
        let entries = numbers.map { number in
          // The session was told one number before.
          let item = LinkItem.message(
            "9 \(number + 1)", to: session, .durable(ticket: number))
          return LinkWindow<LinkItem>.Entry(
            item: item, slice: slice, size: item.size, restarts: false)
        }
        try await write(
          .items(.init(first: numbers.lowerBound, confirmed: 0, entries: entries)))
        var refused: [LinkAnswer.Refused] = []
        while true {
          guard case .answer(let answer) = try await read() else { continue }
          refused += answer.refused
          if answer.last == numbers.upperBound { return refused }
        }
      }
    }

    @Test func `calls beyond a limit are refused while the others run, and come again later`()
      throws
    {
      let cluster = DirectedCluster(seed: 1, links: true)
      try cluster.run { cluster, life in
        let world = cluster.world
        let node = try await cluster.served(by: life)
        let session = try await cluster.foreignSession(to: node)
        let other = try #require(world.lives.first { $0.isOwner(of: session) })
        let member = try #require(
          world.server.database.members().first { $0.number == other.number })
        life.process.freeze()
        defer { life.process.thaw() }
        // Nothing is durable until then.
        world.server.pause(for: .milliseconds(200))
        let speaker = try await Speaker(
          for: life, to: member, session: session, sliceBits: world.options.sliceBits)
        let limit = UInt64(LinkRecord.callLimit)
        let all = limit + UInt64(Self.excess)
        let refused = try await speaker.send(1...all)
        #expect(world.server.standstill != nil, "the calls have to come before any has ended")
        #expect(refused.first == .init(limit + 1, .notServed))
        #expect(refused.map(\.number) == Array(limit + 1...all))
        // They are asked for, once the others have ended.
        while try await speaker.read() != .served([session.slice(bits: world.options.sliceBits)]) {}
        #expect(world.server.standstill == nil)
        speaker.connection.close()
      }
    }
  }
#endif
