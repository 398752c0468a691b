// SPDX-License-Identifier: Apache-2.0

#if Live
  import NIOCore
  import Testing

  @testable import ProsceniumLive

  extension LiveServerTests {
    /// Connections that take too long.
    struct Times {
      @Test func `a client that answers pings stays, and one that does not is dropped`()
        async throws
      {
        try await LiveStage.serving {
          $0.pingInterval = .seconds(5)
        } _: { stage in
          let (good, silent) = (try await stage.tab(), try await stage.tab())
          for round in 1...3 {
            await stage.clock.tick(5)
            #expect(await good.next() == "ping")
            good.send(WireFrame(WireFrame.pong))
            if round == 1 { #expect(await silent.next() == "ping") }
            if round == 2 { #expect(await silent.next() == "close 1008") }
            // The answer has come, as what is sent after it has.
            #expect(await good.input(round).contains(CountingPage.part(round)))
          }
          #expect(await silent.next() == "ended")
          #expect(stage.lines.take().contains { $0.contains("client does not answer, count 1") })
        }
      }

      @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        "POST /renew HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n", "",
      ]) func `a request that comes slowly is ended`(_ beginning: String) async throws {
        try await LiveStage.serving {
          $0.requestLimit = .seconds(10)
        } _: { stage in
          let socket = try await stage.connect()
          socket.send(beginning)
          let connection = try await stage.connection(of: socket)
          for _ in 0..<9 {
            if !beginning.isEmpty { socket.send("x: 1\r\n") }
            await stage.clock.tick()
          }
          #expect(connection.channel.isActive)
          await stage.clock.tick()
          await socket.waitForEnd()
        }
      }

      @Test func `a connection without a request is ended`() async throws {
        try await LiveStage.serving {
          $0.requestLimit = .seconds(10)
        } _: { stage in
          let socket = try await stage.connect()
          for _ in 0..<3 {
            #expect(await stage.ask(socket, stage.head("GET", "/"))?.status == 200)
            await stage.clock.tick(9)
          }
          await stage.clock.tick()
          await socket.waitForEnd()
        }
      }

      @Test func `one that does not close its side is cut off`() async throws {
        try await LiveStage.serving { stage in
          let tab = try await stage.tab()
          tab.send(WireFrame(WireFrame.binary))
          #expect(await tab.end() == "close 1003")
          await stage.clock.tick(ConnectionTimes.closingLimit)
          #expect(await tab.next() == "ended")
        }
      }
    }
  }
#endif
