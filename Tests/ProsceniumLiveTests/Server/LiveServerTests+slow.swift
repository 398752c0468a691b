// SPDX-License-Identifier: Apache-2.0

#if Live
  import NIOCore
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumLive

  extension LiveServerTests {
    /// Clients that do not read what they get.
    struct SlowClients {
      /// How much may wait for a client in the server's memory, in bytes: the messages that a task
      /// sends before it waits for room, and some.
      private static let bound = 8 << 20

      /// Sends until the server does not read any more, or all is sent.
      private static func flood(
        _ socket: SocketClient, _ bytes: [UInt8], count: Int, _ connection: LiveConnection
      ) async throws {
        let buffer = socket.channel.allocator.buffer(bytes: bytes)
        for _ in 0..<count {
          let isSent = Guarded(false)
          let sent: EventLoopFuture<Void> = socket.channel.writeAndFlush(buffer)
          sent.whenComplete { _ in isSent.withLock { $0 = true } }
          // Each look takes a turn of the server's event loop.
          while !isSent.withLock({ $0 }) {
            if try await !connection.reads { return }
          }
        }
      }

      @Test func `a client that never reads holds up its task alone, and is closed`() async throws {
        try await LiveStage.serving {
          $0.pingInterval = .seconds(3_600)
          $0.stallLimit = .seconds(10)
          $0.messageRate = 100_000
        } _: { stage in
          let (other, cookie) = (try await stage.tab(), try await stage.cookie())
          let slow = try await stage.line(cookie, reads: false)
          let connection = try await stage.connection(of: slow.socket)
          slow.send(LiveStage.hello(2))
          var (number, ticks, most) = (0, 0, 0)
          while connection.channel.isActive {
            most = max(most, (try? await connection.waiting) ?? 0)
            if connection.channel.isWritable {
              number += 1
              slow.send(CountingPage.input(number, size: 200_000))
              // It is not read while the socket takes nothing.
              while stage.inputs.count < number + ticks, connection.channel.isWritable,
                (try? await connection.waiting) != nil
              {}
            } else {
              // Another client is served as before.
              ticks += 1
              #expect(await other.input(ticks).contains(CountingPage.part(ticks)))
              await stage.clock.tick()
            }
          }
          #expect(ticks >= 10 + ConnectionTimes.closingLimit)
          #expect(most <= Self.bound)
          #expect(stage.lines.take().contains { $0.contains("client does not read, count 1") })
          #expect(await other.input(ticks + 1).contains(CountingPage.part(ticks + 1)))
        }
      }

      @Test func `a client that floods with pings and never reads takes no memory`() async throws {
        try await LiveStage.serving {
          $0.pingInterval = .seconds(3_600)
          $0.stallLimit = .seconds(10)
        } _: { stage in
          let slow = try await stage.line(stage.cookie(), reads: false)
          let connection = try await stage.connection(of: slow.socket)
          let ping = WireFrame(WireFrame.ping, [UInt8](repeating: 1, count: 125)).with {
            $0.mask = [0, 0, 0, 0]
          }
          let pings = (0..<500).flatMap { _ in ping.bytes }
          try await Self.flood(slow.socket, pings, count: 300, connection)
          #expect(try await connection.waiting <= 1 << 20)
          #expect(try await !connection.reads)
          await stage.clock.tick(10 + ConnectionTimes.closingLimit)
          try await connection.channel.closeFuture.get()
        }
      }

      @Test func `a client that floods with requests and never reads takes no memory`()
        async throws
      {
        try await LiveStage.serving { stage in
          let socket = try await stage.connect(reads: false)
          let connection = try await stage.connection(of: socket)
          let requests = (0..<1_000).map { _ in stage.head("GET", "/live.js") }.joined()
          // The answers of all would have 17 MB and more.
          try await Self.flood(socket, Array(requests.utf8), count: 1, connection)
          await connection.settle(in: stage)
          #expect(try await connection.waiting <= 1 << 20)
          await stage.clock.tick(20)
          try await connection.channel.closeFuture.get()
        }
      }
    }
  }

  extension LiveConnection {
    /// How many bytes wait in the server's memory until the socket takes them.
    fileprivate var waiting: Int {
      get async throws { try await channel.getOption(.bufferedWritableBytes).get() }
    }

    /// Whether the server reads from the socket.
    fileprivate var reads: Bool {
      get async throws { try await channel.getOption(.autoRead).get() }
    }

    /// Returns when the server answers no more requests, as as much waits as before.
    fileprivate func settle(in stage: LiveStage) async {
      var (before, same) = (-1, 0)
      while same < 200, let now = try? await waiting {
        same = now == before ? same + 1 : 0
        before = now
        await Task.yield()
      }
    }
  }
#endif
