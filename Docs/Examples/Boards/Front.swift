// SPDX-License-Identifier: Apache-2.0

#if Live && Links && Complete
  import NIOCore
  import NIOPosix
  import Synchronization

  /// What Caddy or nginx is to a service: all visitors come to its port, and it passes each
  /// connection on to a node.
  ///
  /// `/41001/line` is the `/line` of the node at port 41001; any node answers all else.
  final class Front: Sendable {
    private struct Nodes: Sendable {
      var ready: Set<Int> = []
      var staying: [Int] = []
      var turn = 0
    }

    private let port: Int
    private let nodes = Mutex(Nodes())

    init(at port: Int) {
      self.port = port
    }

    /// Says where nodes are.
    ///
    /// - Parameters:
    ///   - ready: The ports of all that serve.
    ///   - staying: Of these, the ones that do not leave.
    func pass(to ready: Set<Int>, staying: [Int]) {
      nodes.withLock {
        ($0.ready, $0.staying) = (ready, staying.isEmpty ? ready.sorted() : staying)
      }
    }

    /// The port of a node: the one that is asked for, or each in its turn.
    fileprivate func port(asked: Int?) -> Int? {
      nodes.withLock { nodes in
        if let asked { return nodes.ready.contains(asked) ? asked : nil }
        nodes.turn += 1
        return nodes.staying.isEmpty ? nil : nodes.staying[nodes.turn % nodes.staying.count]
      }
    }

    /// Passes connections on until the task is cancelled.
    func run() async throws {
      let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { [self] visitor in
          visitor.eventLoop.makeCompletedFuture {
            try visitor.pipeline.syncOperations.addHandler(Beginning(of: self))
          }
        }
        .bind(host: "127.0.0.1", port: port).get()
      try await withTaskCancellationHandler {
        try await channel.closeFuture.get()
      } onCancel: {
        channel.close(promise: nil)
      }
    }
  }

  /// One way of a connection: what comes goes out at the other side.
  private class Way: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    var other: (any Channel)?

    init(to other: (any Channel)? = nil) {
      self.other = other
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      other?.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      // Who does not read is sent nothing more.
      other?.setOption(.autoRead, value: context.channel.isWritable).whenFailure { _ in }
    }

    func channelInactive(context: ChannelHandlerContext) {
      other?.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }

  /// The way from a visitor, whose first line says to which node it leads.
  private final class Beginning: Way {
    /// How long the first line of a request may be.
    private static let lineLimit = 8 << 10
    private static let refusal =
      "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

    private let front: Front
    private var head = ByteBuffer()
    private var isConnecting = false

    init(of front: Front) {
      self.front = front
    }

    override func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard other == nil else { return super.channelRead(context: context, data: data) }
      var part = unwrapInboundIn(data)
      head.writeBuffer(&part)
      if isConnecting { return }
      if head.readableBytesView.contains(UInt8(ascii: "\n")) {
        connect(context.channel)
      } else if head.readableBytes > Self.lineLimit {
        context.close(promise: nil)
      }
    }

    private func connect(_ visitor: any Channel) {
      guard let port = front.port(asked: takeAskedPort()) else { return refuse(visitor) }
      isConnecting = true
      // What comes until then is kept.
      visitor.setOption(.autoRead, value: false).whenFailure { _ in }
      ClientBootstrap(group: visitor.eventLoop)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .channelInitializer { node in
          node.eventLoop.makeCompletedFuture {
            try node.pipeline.syncOperations.addHandler(Way(to: visitor))
          }
        }
        .connect(host: "127.0.0.1", port: port).assumeIsolated().whenComplete { [self] result in
          guard let node = try? result.get() else { return refuse(visitor) }
          guard visitor.isActive else { return node.close(promise: nil) }
          other = node
          node.writeAndFlush(head, promise: nil)
          visitor.setOption(.autoRead, value: true).whenFailure { _ in }
        }
    }

    /// Takes the port out of a path that names a node.
    private func takeAskedPort() -> Int? {
      let parts = String(buffer: head).split(
        separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let port = Int(parts[1]) else { return nil }
      head = ByteBuffer(string: "\(parts[0])/\(parts[2])")
      return port
    }

    private func refuse(_ visitor: any Channel) {
      visitor.writeAndFlush(ByteBuffer(string: Self.refusal)).whenComplete { _ in
        visitor.close(promise: nil)
      }
    }
  }
#endif
