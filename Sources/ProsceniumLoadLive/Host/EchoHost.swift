// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOWebSocket
  import ProsceniumLoadNodes
  import ProsceniumTerminal

  /// What the web host is compared with: a server of the same library, with the same settings of
  /// its sockets, that sends back what it gets, and does nothing else.
  struct EchoHost: Sendable {

    @concurrent
    func run() async throws {
      let parent = ParentSignals()
      let upgrader = NIOWebSocketServerUpgrader(
        maxFrameSize: 70_000,
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
        upgradePipelineHandler: { channel, _ in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(EchoHandler())
          }
        })
      let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .serverChannelOption(.backlog, value: 4_096)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelOption(
          .recvAllocator,
          value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 1_024, maximum: 65_536)
        )
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(
              withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      Terminal.announce("\(LoadHost.ready)\(channel.localAddress?.port ?? 0)\n")
      await parent.waitUntilEnd()
      try await channel.close()
    }
  }

  private final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let frame = unwrapInboundIn(data)
      guard frame.opcode == .text else { return }
      let echo = WebSocketFrame(fin: true, opcode: .text, data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(echo), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }
#endif
