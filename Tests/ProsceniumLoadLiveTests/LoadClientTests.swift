// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import NIOCore
  import NIOPosix
  import Proscenium
  import ProsceniumClientProtocol
  import Testing

  @testable import ProsceniumLoadLive

  /// What a client makes of what hosts say, and what it counts.
  @Suite struct LoadClientTests {
    @Test func `a client whose node was killed may have one reset, and others none`() async throws {
      try await onLoop { loop in
        loop.beginOutage(of: "a")
        #expect(loop.struck == 1)
        loop.clients[0].hear(.welcome(Self.welcome(2, .epoch)))
        #expect(loop.returned == 1)
        #expect(loop.tally.undueResets.isEmpty)
        loop.clients[0].hear(.welcome(Self.welcome(3, .epoch)))
        #expect(loop.tally.undueResets == ["epoch": 1])
        loop.clients[1].hear(.welcome(Self.welcome(2, .epoch)))
        #expect(loop.tally.undueResets == ["epoch": 2])
        #expect(loop.tally.resets == ["epoch": 3])
      }
    }

    @Test func `a kill explains no other reset, and none that comes after its outage`() async throws
    {
      try await onLoop { loop in
        loop.beginOutage(of: "a")
        loop.clients[0].hear(.welcome(Self.welcome(2, .overflow)))
        #expect(loop.tally.undueResets == ["overflow": 1])
        loop.endOutage()
        loop.clients[0].hear(.welcome(Self.welcome(3, .epoch)))
        #expect(loop.tally.undueResets == ["overflow": 1, "epoch": 1])
      }
    }

    @Test func `a client that is sent to the killed node is one of the outage`() async throws {
      try await onLoop { loop in
        loop.beginOutage(of: "a")
        loop.clients[1].take(ByteBuffer(string: "line /a/line"))
        #expect(loop.struck == 2)
        #expect(loop.clients[1].host == 0)
        loop.clients[1].hear(.welcome(Self.welcome(2, .epoch)))
        #expect(loop.tally.undueResets.isEmpty)
        #expect(loop.tally.moves == 1)
      }
    }

    @Test func `a node that was taken for dead must be silent when it goes on`() async throws {
      try await onLoop { loop in
        loop.beginOutage(of: "a")
        loop.voidLines()
        loop.clients[0].hear(.end(.hostEnded))
        loop.clients[1].hear(.acknowledged(1))
        #expect(loop.tally.late == 0)
        loop.clients[0].hear(.acknowledged(1))
        loop.clients[0].hear(.acknowledged(2))
        #expect(loop.tally.late == 1)
        #expect(loop.tally.lateSentences == ["'acknowledged 1' to client 0"])
      }
    }

    @Test func `a client whose session moves is told where`() async throws {
      try await onLoop { loop in
        for client in loop.clients { client.hear(.end(.hostEnded)) }
        // The first one goes on where it was, the second one had to look for its session.
        loop.clients[0].hear(.welcome(Self.welcome(2, nil)))
        #expect(loop.tally.violations == 0)
        loop.clients[1].take(ByteBuffer(string: "line /a/line"))
        loop.clients[1].hear(.welcome(Self.welcome(2, nil)))
        #expect(loop.tally.violations == 1)
      }
    }

    @Test func `an input waits for the first reason that it had to`() {
      var book = ClientBook()
      _ = book.add(due: 0, delay: nil)
      _ = book.add(due: 0, delay: .lost)
      book.interrupt(.moved)
      book.interrupt(.lost)
      #expect(book.pending.map(\.delay) == [.moved, .lost])
    }

    // MARK: - The stage

    /// Two clients that are welcomed, one at the node `a` and one at `b`, and have seen a frame.
    private func onLoop(_ body: @escaping @Sendable (ClientLoop) -> Void) async throws {
      let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
      try await eventLoop.submit {
        let hosts = [HostPlace(name: "a", port: 1), HostPlace(name: "b", port: 2)]
        let loop = ClientLoop(eventLoop, .init(clients: 0..<2, seed: 1), hosts: hosts) { _ in "" }
        for client in loop.clients { client.hear(.welcome(Self.welcome(1, .new))) }
        body(loop)
      }.get()
    }

    private static func welcome(_ epoch: UInt64, _ reset: OutputReset?) -> ClientWelcome {
      ClientWelcome(epoch: epoch << 32 + 1, lastInput: 0, reset: reset, watches: false)
    }
  }

  extension LoadClient {
    fileprivate func hear(_ message: HostMessage) { take(ByteBuffer(bytes: message.text)) }
  }
#endif
