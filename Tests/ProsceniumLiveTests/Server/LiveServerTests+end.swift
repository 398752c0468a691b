// SPDX-License-Identifier: Apache-2.0

#if Live
  import Proscenium
  import Testing

  @testable import ProsceniumLive

  extension LiveServerTests {
    /// How a server ends, and when it does not begin.
    struct Ends {
      @Test func `a server that is stopped closes lines, and requests that are not done`()
        async throws
      {
        try await LiveStage.serving { stage in
          let cookie = try await stage.cookie()
          let line = try await stage.line(cookie)
          let tab = try await stage.tab()
          let idle = try await stage.connect()
          #expect(await stage.ask(idle, stage.head("GET", "/"))?.status == 200)
          let half = try await stage.connect()
          half.send("POST /renew HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n1234")
          let fresh = try await stage.connect()
          _ = try await stage.connection(of: fresh)
          await stage.stop()
          #expect(await tab.end() == "close 1001")
          #expect(await line.end() == "close 1001")
          for socket in [idle, half, fresh, tab.socket, line.socket] { await socket.waitForEnd() }
          #expect(stage.connections.isEmpty)
        }
      }

      @Test func `a server that has ended sets up no more connections`() async throws {
        try await LiveStage.serving { stage in
          let socket = try await stage.connect()
          let connection = try await stage.connection(of: socket)
          await stage.stop()
          // One that was taken before, and whose event loop comes to it only now.
          #expect(!stage.listener.connections.add(connection))
        }
      }

      @Test func `connections that come while a server ends are closed`() async throws {
        for round in 0..<10 {
          try await LiveStage.serving { stage in
            await withDiscardingTaskGroup { group in
              for number in 0..<40 {
                group.addTask {
                  guard let socket = try? await stage.connect() else { return }
                  socket.send(stage.head("GET", "/"))
                  await socket.waitForEnd()
                }
                if number == 20 + round { group.addTask { await stage.stop() } }
              }
            }
            #expect(stage.connections.isEmpty)
          }
        }
      }

      @Test func `an application that ends says so to its tabs`() async throws {
        try await LiveStage.serving { stage in
          let tab = try await stage.tab()
          stage.application.shutDown()
          #expect(await tab.next(beginning: "end ") == "end 3")
          #expect(await tab.end() == "close 1000")
        }
      }

      @Test func `two servers have no port in common`() async throws {
        try await LiveStage.serving { stage in
          var settings = LiveSettings(keys: LiveKeys.keys(1))
          settings.place = .address("127.0.0.1", port: stage.port)
          let server = LiveServer(stage.application, settings)
          await #expect {
            try await server.run()
          } throws: { ($0 as? LiveError)?.code == .addressInUse }
          await #expect {
            try await server.run()
          } throws: { ($0 as? LiveError)?.code == .alreadyRun }
        }
      }

      @Test func `a server without a right to its address says so`() async throws {
        try await LiveStage.serving { stage in
          var settings = LiveSettings(keys: LiveKeys.keys(1))
          // The network for documentation: no machine has the address.
          settings.place = .address("203.0.113.1", port: 0)
          let server = LiveServer(stage.application, settings)
          await #expect {
            try await server.run()
          } throws: { ($0 as? LiveError)?.code == .addressRefused }
        }
      }
    }
  }
#endif
