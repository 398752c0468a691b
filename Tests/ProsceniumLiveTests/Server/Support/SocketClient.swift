// SPDX-License-Identifier: Apache-2.0

#if Live
  import NIOCore
  import NIOPosix
  import ProsceniumPrimitives

  /// A connection to a server over a real socket, which sends any bytes.
  final class SocketClient: Sendable {
    private struct State: Sendable {
      var bytes: [UInt8] = []
      /// How many of the bytes are read.
      var position = 0
      var isClosed = false
      var reader: CheckedContinuation<Void, Never>?
    }

    private final class Handler: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer

      private let client: SocketClient

      init(_ client: SocketClient) {
        self.client = client
      }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let data = unwrapInboundIn(data)
        let reader = client.state.withLock { state in
          state.bytes += data.readableBytesView
          return state.reader.take()
        }
        reader?.resume()
      }

      func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
      }

      func channelInactive(context: ChannelHandlerContext) {
        client.setClosed()
      }
    }

    private let state = Guarded(State())
    private let connected = Guarded<(any Channel)?>(nil)

    /// The socket; there from the beginning, as ``connect(_:)`` is what makes clients.
    var channel: any Channel {
      guard let channel = connected.withLock({ $0 }) else { preconditionFailure("connected") }
      return channel
    }

    private init() {}

    /// Connects to a port of this machine, and reads what comes unless it is told not to.
    static func connect(_ port: Int, reads: Bool = true) async throws -> SocketClient {
      let client = SocketClient()
      var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .channelOption(.autoRead, value: reads)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Handler(client))
          }
        }
      if !reads {
        bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: 4_096)
      }
      let channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
      client.connected.withLock { $0 = channel }
      return client
    }

    // MARK: - Sending

    func send(_ bytes: [UInt8]) {
      channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
    }

    func send(_ text: String) {
      send(Array(text.utf8))
    }

    // MARK: - Reading

    private func setClosed() {
      let reader = state.withLock { state in
        state.isClosed = true
        return state.reader.take()
      }
      reader?.resume()
    }

    /// Reads what a function finds at the beginning of what has come; nil if the connection ends.
    ///
    /// The function tells how many bytes that was.
    func read<Value: Sendable>(
      _ find: (ArraySlice<UInt8>) -> (Value, Int)?
    ) async -> Value? {
      while true {
        let (found, isClosed, seen) = state.withLock { state -> (Value?, Bool, Int) in
          guard let (value, size) = find(state.bytes[state.position...]) else {
            return (nil, state.isClosed, state.bytes.count)
          }
          state.position += size
          if state.position == state.bytes.count {
            state.bytes = []
            state.position = 0
          }
          return (value, false, 0)
        }
        if let found { return found }
        if isClosed { return nil }
        await waitForMore(than: seen)
      }
    }

    private func waitForMore(than seen: Int) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let waits = state.withLock { state in
            state.isClosed = state.isClosed || Task.isCancelled
            if state.isClosed || state.bytes.count != seen { return false }
            state.reader = continuation
            return true
          }
          if !waits { continuation.resume() }
        }
      } onCancel: {
        setClosed()
      }
    }

    /// Returns when the other side has closed the connection.
    func waitForEnd() async {
      let end: Void? = await read { _ in nil }
      _ = end
    }

    // MARK: - The end

    /// Ends the connection, and returns when it is closed.
    func close() async {
      try? await channel.close()
    }

    /// Ends the connection by a reset, as when a machine is switched off.
    func reset() async {
      let options = channel as? any SocketOptionProvider
      try? await options?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
      await close()
    }
  }
#endif
