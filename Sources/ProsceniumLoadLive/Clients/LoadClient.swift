// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOWebSocket
  import Proscenium
  import ProsceniumClientProtocol

  /// A client on its event loop, as a tab is one: it keeps a line to its session.
  final class LoadClient {
    /// How many inputs may wait for their acknowledgement.
    static let window = 64
    /// After how many frames they are acknowledged.
    private static let frameWindow = 4

    let number: Int
    private let loop: ClientLoop
    private let identifier: ClientIdentifier
    private let cookie: String
    private(set) var book = ClientBook()
    private var channel: (any Channel)?
    private var isVisible = true
    /// How often it has tried to come back since it had a line.
    private var attempts = 0
    private var isConnecting = false
    /// Counts connections, so that what comes late of an earlier one is recognised.
    private var generation = 0
    /// Whether the client has said which frame it has seen.
    private var hasSaidFrame = false

    private(set) var isAttached = false
    /// Whether it has had a line since the host was killed.
    var hasReturned = true

    init(_ number: Int, _ loop: ClientLoop, cookie: String) {
      self.number = number
      self.loop = loop
      self.cookie = cookie
      identifier = ClientIdentifier(high: loop.plan.seed, low: UInt64(number))
      isVisible = !loop.plan.areHidden
    }

    // MARK: - The connection

    /// Opens a connection, unless there is one.
    func connect() {
      guard channel == nil, !isConnecting, !loop.isOver else { return }
      isConnecting = true
      generation += 1
      let attempt = generation
      let bound = NIOLoopBound(self, eventLoop: loop.eventLoop)
      let bootstrap = ClientBootstrap(group: loop.eventLoop)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 512))
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try bound.value.setUp(channel, attempt) }
        }
      do {
        // Addresses of this machine, so that there are ports enough.
        let source = try SocketAddress(ipAddress: "127.0.0.\(1 + number % 250)", port: 0)
        let host = try SocketAddress(ipAddress: "127.0.0.1", port: loop.port)
        bootstrap.bind(to: source).connect(to: host).whenComplete { result in
          switch result {
          case .success(let channel): bound.value.request(channel)
          case .failure: bound.value.lose(attempt)
          }
        }
      } catch {
        lose(attempt)
      }
    }

    private func setUp(_ channel: any Channel, _ attempt: Int) throws {
      let bound = NIOLoopBound(self, eventLoop: loop.eventLoop)
      let upgrader = NIOWebSocketClientUpgrader(maxFrameSize: 140_000) { channel, _ in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(FrameHandler(bound.value))
          bound.value.begin(channel)
        }
      }
      let refusals = RefusalHandler(self)
      let boundRefusals = NIOLoopBound(refusals, eventLoop: loop.eventLoop)
      try channel.pipeline.syncOperations.addHTTPClientHandlers(
        withClientUpgrade: (
          upgraders: [upgrader],
          completionHandler: { context in
            context.pipeline.syncOperations.removeHandler(boundRefusals.value, promise: nil)
          }
        ))
      try channel.pipeline.syncOperations.addHandler(refusals)
      channel.closeFuture.whenComplete { _ in bound.value.lose(attempt) }
    }

    private func request(_ channel: any Channel) {
      let head = HTTPRequestHead(
        version: .http1_1, method: .GET, uri: "/line",
        headers: [
          "Host": "127.0.0.1:\(loop.port)", "Origin": "http://127.0.0.1:\(loop.port)",
          "Cookie": cookie,
        ])
      channel.write(HTTPClientRequestPart.head(head), promise: nil)
      channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    /// The host takes messages.
    private func begin(_ channel: any Channel) {
      isConnecting = false
      self.channel = channel
      if loop.plan.isEcho {
        attach()
      } else {
        hasSaidFrame = book.lastSeen != nil
        send(.hello(book.hello(identifier, isVisible: isVisible)))
      }
    }

    private func attach() {
      attempts = 0
      if !isAttached {
        isAttached = true
        loop.attached += 1
      }
      if !hasReturned {
        hasReturned = true
        loop.returned += 1
      }
    }

    /// The connection is gone.
    private func lose(_ attempt: Int) {
      guard attempt == generation, channel != nil || isConnecting else { return }
      isConnecting = false
      channel = nil
      if isAttached {
        isAttached = false
        loop.attached -= 1
      }
      book.interrupt()
      attempts += 1
      let bound = NIOLoopBound(self, eventLoop: loop.eventLoop)
      loop.eventLoop.scheduleTask(in: .milliseconds(loop.pause(attempts))) { bound.value.connect() }
    }

    /// Breaks the line: in order, or by a reset, as when a machine is gone.
    func breakLine(byReset: Bool) {
      guard let channel else { return }
      loop.tally.breaks += 1
      if byReset, let socket = channel as? any SocketOptionProvider {
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
          channel.close(promise: nil)
        }
      } else {
        channel.close(promise: nil)
      }
    }

    /// Says goodbye.
    func close() {
      channel?.close(promise: nil)
    }

    /// Asks for everything again with its next line.
    func forget() {
      book.forget()
      channel?.close(promise: nil)
    }

    // MARK: - What it sends

    private func send(_ message: ClientMessage) {
      guard let channel else { return }
      let frame = WebSocketFrame(
        fin: true, opcode: .text, maskKey: loop.mask, data: ByteBuffer(bytes: message.text))
      channel.writeAndFlush(frame, promise: nil)
    }

    private func content(_ number: UInt64) -> SceneMessage {
      SceneMessage("\(CountPage.inputName)?value=\(number)")
    }

    /// Sends a new input that was due at a moment, at once or with the next line.
    func act(due: Int64) {
      guard book.pending.count < Self.window, book.hasBeenWelcomed || loop.plan.isEcho else {
        return
      }
      let number = book.add(due: due, isAttached: isAttached)
      loop.tally.sent += 1
      if isAttached { send(.input(number, content(number))) }
    }

    func setVisible(_ isVisible: Bool) {
      guard self.isVisible != isVisible else { return }
      self.isVisible = isVisible
      if !isVisible { loop.tally.hides += 1 }
      if isAttached { send(.visible(isVisible)) }
    }

    // MARK: - What it is told

    func take(_ text: ByteBuffer) {
      if loop.plan.isEcho { return takeEcho(text) }
      let message = try? HostMessage.read(text: Array(text.readableBytesView)[...])
      switch message {
      case .move(let address): book.move(to: address)
      case .welcome(let welcome): take(welcome)
      case .frame(let frame):
        if let wrong = book.show(frame) { loop.tally.violate(number, wrong) }
        if book.unread >= Self.frameWindow {
          book.didAcknowledgeFrames()
          send(.ack(frame.number.count))
        }
      case .acknowledged(let number): acknowledge(number)
      case .end(let end): loop.tally.ends["\(end)", default: 0] += 1
      case nil: break
      }
    }

    private func take(_ welcome: ClientWelcome) {
      if book.hasBeenWelcomed {
        // One that has seen nothing gets everything.
        if let reset = welcome.reset {
          if hasSaidFrame || reset != .new { loop.tally.resets[reset.rawValue, default: 0] += 1 }
        } else {
          loop.tally.resumed += 1
        }
      }
      if let wrong = book.welcome(welcome) { loop.tally.violate(number, wrong) }
      attach()
      acknowledge(welcome.lastInput)
      for (index, _) in book.pending.enumerated() {
        let number = book.acknowledged + UInt64(index) + 1
        send(.input(number, content(number)))
      }
    }

    private func acknowledge(_ number: UInt64) {
      let now = loop.now
      for input in book.acknowledge(number) { loop.record(input, at: now) }
    }

    private func takeEcho(_ text: ByteBuffer) {
      guard
        case .input(let number, _)? = try? ClientMessage.read(
          text: Array(text.readableBytesView)[...])
      else { return }
      acknowledge(number)
    }

    /// The host has closed the socket with a code, or refused the upgrade.
    func hear(_ end: String) {
      loop.tally.ends[end, default: 0] += 1
    }
  }

  /// Passes the texts of a socket to its client.
  private final class FrameHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let client: LoadClient

    init(_ client: LoadClient) {
      self.client = client
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let frame = unwrapInboundIn(data)
      switch frame.opcode {
      case .text: client.take(frame.data)
      case .ping:
        let pong = WebSocketFrame(
          fin: true, opcode: .pong, maskKey: [1, 2, 3, 4], data: frame.data)
        context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
      case .connectionClose:
        var data = frame.data
        client.hear("closed with \(data.readInteger(as: UInt16.self) ?? 1005)")
        context.close(promise: nil)
      default: break
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }

  /// Notes an upgrade that was refused.
  private final class RefusalHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let client: LoadClient

    init(_ client: LoadClient) {
      self.client = client
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(let head) = unwrapInboundIn(data) else { return }
      client.hear("refused with \(head.status.code)")
      context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }
#endif
