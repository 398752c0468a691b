// SPDX-License-Identifier: Apache-2.0

#if Live && Links && Complete
  import NIOCore
  import NIOPosix

  /// What Caddy or nginx is to a service: all visitors come to its port, and it passes each
  /// connection on to a node.
  ///
  /// `/41001/line` is the `/line` of the node at port 41001; any node answers all else.
  struct Front: Sendable {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// How long the first line of a request may be.
    private static let lineLimit = 8 << 10

    let port: Int
    /// The port of a node that lives: the one that is asked for if there is one, or any.
    let choose: @Sendable (_ asked: Int?) async -> Int?

    /// Passes connections on until the task is cancelled.
    func run() async throws {
      let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .bind(host: "127.0.0.1", port: port, childChannelInitializer: Self.wrap)
      try await server.executeThenClose { connections in
        try await withThrowingDiscardingTaskGroup { group in
          for try await connection in connections {
            // A connection that breaks is of no account to the others.
            group.addTask { try? await pass(connection) }
          }
        }
      }
    }

    private static func wrap(_ channel: any Channel) -> EventLoopFuture<Connection> {
      channel.eventLoop.makeCompletedFuture {
        try Connection(wrappingChannelSynchronously: channel)
      }
    }

    private func pass(_ visitor: Connection) async throws {
      try await visitor.executeThenClose { requests, answers in
        var iterator = requests.makeAsyncIterator()
        var head = ByteBuffer()
        while !head.readableBytesView.contains(UInt8(ascii: "\n")) {
          guard head.readableBytes < Self.lineLimit, var part = try await iterator.next() else {
            return
          }
          head.writeBuffer(&part)
        }
        guard let node = await connect(asWantedBy: &head) else {
          return try await answers.write(ByteBuffer(string: Self.refusal))
        }
        try await node.executeThenClose { [head] replies, forwarded in
          try await forwarded.write(head)
          try await withThrowingTaskGroup { group in
            group.addTask {
              // When the node has ended the connection, nothing more is read of the visitor.
              defer { visitor.channel.close(promise: nil) }
              for try await part in replies { try await answers.write(part) }
            }
            defer { group.cancelAll() }
            while let part = try await iterator.next() { try await forwarded.write(part) }
          }
        }
      }
    }

    private static let refusal =
      "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

    /// Connects with the node that a request is for, and takes the node's port out of its path.
    private func connect(asWantedBy head: inout ByteBuffer) async -> Connection? {
      var line = String(buffer: head)
      let parts = line.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      let asked = parts.count == 3 ? Int(parts[1]) : nil
      if asked != nil { line = "\(parts[0])/\(parts[2])" }
      guard let port = await choose(asked) else { return nil }
      head = ByteBuffer(string: line)
      return try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .connect(host: "127.0.0.1", port: port, channelInitializer: Self.wrap)
    }
  }
#endif
