// SPDX-License-Identifier: Apache-2.0

#if Live
  import NIOCore
  import NIOEmbedded
  import NIOWebSocket
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumLive

  /// What a connection writes, on an event loop that runs when it is told to.
  @Suite struct LiveConnectionTests {
    @Test func `what the session says is written while the session may be served`() throws {
      let stage = try Stage()
      stage.connection.tell(Array("frame".utf8))
      stage.channel.embeddedEventLoop.run()
      #expect(try stage.written == ["frame"])
      #expect(stage.channel.isActive)
    }

    @Test func `what waited until the session may not be served is kept back, and the line ends`()
      throws
    {
      let stage = try Stage()
      stage.connection.tell(Array("frame".utf8))
      stage.connection.send(Array("renew".utf8))
      stage.permission.isGiven.withLock { $0 = false }
      stage.channel.embeddedEventLoop.run()
      #expect(try stage.written == [])
      #expect(!stage.channel.isActive)
    }

    @Test func `why a line ends is said by a host that may not serve`() throws {
      let stage = try Stage()
      stage.permission.isGiven.withLock { $0 = false }
      stage.connection.send(Array("end".utf8))
      stage.channel.embeddedEventLoop.run()
      #expect(try stage.written == ["end"])
      #expect(stage.channel.isActive)
    }

    /// Whether the session may be served.
    private final class Permission: Sendable {
      let isGiven = Guarded(true)
    }

    private struct Stage {
      let channel = EmbeddedChannel()
      let permission = Permission()
      let connection: LiveConnection

      init() throws {
        let settings = LiveSettings(keys: LiveKeys.keys(1))
        let tokens = try LiveTokens(settings.keys, wallClock: settings.wallClock)
        let jobs = AsyncStream.makeStream(of: LiveJob.self).continuation
        connection = LiveConnection(channel, ServerClock(settings, tokens), jobs) {
          [permission] in permission.isGiven.withLock { $0 }
        }
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
      }

      /// The texts that were written since they were asked for last.
      var written: [String] {
        get throws {
          var texts: [String] = []
          while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
            texts.append(String(buffer: frame.data))
          }
          return texts
        }
      }
    }
  }
#endif
