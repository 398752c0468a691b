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
    /// How a message begins that tells a page by which path it reaches another host.
    private static let lineMark = "line "
    /// After how many frames they are acknowledged.
    private static let frameWindow = 4
    /// How long it waits for a welcome, or for the acknowledgement of what it has sent, in
    /// nanoseconds.
    private static let silenceLimit: Int64 = 10_000_000_000

    let number: Int
    private let loop: ClientLoop
    private let identifier: ClientIdentifier
    private let cookie: String
    private(set) var book = ClientBook()
    private var channel: (any Channel)?
    private var isVisible = true
    private var dial: DialPlan
    /// The connection that is not a line yet.
    private var dialled: (any Channel)?
    private var isConnecting = false
    /// Counts connections, so that what comes late of an earlier one is recognised.
    private var generation = 0
    /// Whether the client has said which frame it has seen.
    private var hasSaidFrame = false

    private(set) var isAttached = false
    /// Whether its session was on its way to another host when its line ended.
    private var isMoving = false
    /// The host that has ended its line without a word where to go on.
    private var silentHost: Int?
    /// Since when it waits for an answer of the host, in nanoseconds; nil if it does not.
    private var waitingSince: Int64?
    /// Whether the host at the other end of its line serves nothing any more.
    private var isVoid = false
    /// Whether the host has spoken nevertheless.
    private var hasHeardLate = false
    /// Whether its host was killed or stopped in the last outage.
    private(set) var isStruck = false
    /// Whether it has had a line since.
    private(set) var hasReturned = true
    /// Whether the outage explains one reset that it has not had yet.
    private var isResetDue = false

    init(_ number: Int, _ loop: ClientLoop, cookie: String) {
      self.number = number
      self.loop = loop
      self.cookie = cookie
      dial = DialPlan(host: number % loop.hosts.count)
      identifier = ClientIdentifier(high: loop.plan.seed, low: UInt64(number))
      isVisible = !loop.plan.areHidden
    }

    /// The place of its host in the list of all.
    var host: Int { dial.host }

    // MARK: - The connection

    /// Opens a connection, unless there is one.
    func connect() {
      guard channel == nil, !isConnecting, !loop.isOver else { return }
      isConnecting = true
      (isVoid, hasHeardLate) = (false, false)
      waitingSince = loop.now
      generation += 1
      let attempt = generation
      let bound = NIOLoopBound(self, eventLoop: loop.eventLoop)
      let bootstrap = ClientBootstrap(group: loop.eventLoop)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 512))
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try bound.value.setUp(channel, attempt) }
        }
      let place = loop.hosts[dial.host]
      do {
        // Addresses of this machine, so that there are ports enough.
        let source = try SocketAddress(ipAddress: "127.0.0.\(1 + number % 250)", port: 0)
        let host = try SocketAddress(ipAddress: "127.0.0.1", port: place.port)
        bootstrap.bind(to: source).connect(to: host).whenComplete { result in
          switch result {
          case .success(let channel): bound.value.request(channel, place.port)
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

    private func request(_ channel: any Channel, _ port: Int) {
      dialled = channel
      let head = HTTPRequestHead(
        version: .http1_1, method: .GET, uri: "/line",
        headers: [
          "Host": "127.0.0.1:\(port)", "Origin": "http://127.0.0.1:\(port)", "Cookie": cookie,
        ])
      channel.write(HTTPClientRequestPart.head(head), promise: nil)
      channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    /// The host takes messages.
    private func begin(_ channel: any Channel) {
      isConnecting = false
      dialled = nil
      self.channel = channel
      if loop.plan.isEcho {
        attach()
      } else {
        hasSaidFrame = book.lastSeen != nil
        send(.hello(book.hello(identifier, isVisible: isVisible)))
      }
    }

    private func attach() {
      dial.succeed()
      isMoving = false
      waitingSince = nil
      if !isAttached {
        isAttached = true
        loop.attached += 1
      }
      if !hasReturned, !isVoid {
        hasReturned = true
        loop.returned += 1
      }
    }

    /// The connection is gone.
    private func lose(_ attempt: Int) {
      guard attempt == generation, channel != nil || isConnecting else { return }
      isConnecting = false
      dialled = nil
      channel = nil
      waitingSince = nil
      if isAttached {
        isAttached = false
        loop.attached -= 1
      }
      book.interrupt(delay)
      dial.fail(of: loop.hosts.count)
      connectSoon()
    }

    private func connectSoon() {
      let bound = NIOLoopBound(self, eventLoop: loop.eventLoop)
      loop.eventLoop.scheduleTask(in: .milliseconds(loop.pause(dial.failures))) {
        bound.value.connect()
      }
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

    /// Gives a host up that has not answered for long, as a page does.
    func checkSilence() {
      guard let waitingSince, loop.now - waitingSince > Self.silenceLimit else { return }
      (channel ?? dialled)?.close(promise: nil)
    }

    /// Says goodbye.
    func close() {
      channel?.close(promise: nil)
    }

    /// Asks for everything again with its next line.
    func forget() {
      book.forget()
      // Hosts that have just been started are dialled soon, however often that was in vain.
      dial.succeed()
      if let channel { channel.close(promise: nil) } else { connectSoon() }
    }

    // MARK: - Outages

    /// A new outage begins, which may not be its own.
    func forgetOutage() {
      isStruck = false
      isResetDue = false
      hasReturned = true
    }

    /// Its host was killed or stopped, or it may have been on its way to that one.
    func strike() {
      guard !isStruck else { return }
      isStruck = true
      isResetDue = true
      hasReturned = false
      loop.struck += 1
    }

    /// What comes later is not explained by the outage.
    func endOutage() { isResetDue = false }

    /// The host at the other end of its line has lost its sessions to others, and must be silent.
    func voidLine() { isVoid = true }

    // MARK: - What it sends

    /// Why an input that is not sent waits.
    private var delay: ClientBook.Delay { isMoving ? .moved : .lost }

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
      let number = book.add(due: due, delay: isAttached ? nil : delay)
      loop.tally.sent += 1
      guard isAttached else { return }
      waitingSince = waitingSince ?? loop.now
      send(.input(number, content(number)))
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
      if isVoid, message?.isOfOwner == true {
        if !hasHeardLate { loop.tally.noteLate(number, String(buffer: text)) }
        hasHeardLate = true
      }
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
      case .end(let end):
        loop.tally.ends["\(end)", default: 0] += 1
        if end == .hostEnded, isAttached, !isMoving { silentHost = host }
      case nil: follow(String(buffer: text))
      }
    }

    /// Goes to another host from now on, if that is what a page would be told.
    private func follow(_ text: String) {
      guard text.hasPrefix(Self.lineMark),
        let name = HostPlace.name(in: text.dropFirst(Self.lineMark.count)),
        let host = loop.hosts.firstIndex(where: { $0.name == name })
      else { return }
      dial.follow(to: host)
      if isAttached {
        isMoving = true
        loop.tally.moves += 1
      }
      if loop.struckHost == host { strike() }
    }

    private func take(_ welcome: ClientWelcome) {
      if book.hasBeenWelcomed {
        // One that has seen nothing gets everything.
        if let reset = welcome.reset {
          if hasSaidFrame || reset != .new { note(reset) }
        } else {
          loop.tally.resumed += 1
        }
      }
      // One that had to pause knows of no other, and goes on with its sessions.
      if let silentHost, silentHost != host, !isStruck {
        loop.tally.violate(number, "its session has moved, and it was not told where")
      }
      silentHost = nil
      if let wrong = book.welcome(welcome) { loop.tally.violate(number, wrong) }
      attach()
      acknowledge(welcome.lastInput)
      for (index, _) in book.pending.enumerated() {
        let number = book.acknowledged + UInt64(index) + 1
        send(.input(number, content(number)))
      }
      waitingSince = book.pending.isEmpty ? nil : loop.now
    }

    private func note(_ reset: OutputReset) {
      loop.tally.resets[reset.rawValue, default: 0] += 1
      // A session that nothing but its store has kept begins another epoch.
      if isResetDue, reset == .epoch {
        isResetDue = false
      } else {
        loop.tally.undueResets[reset.rawValue, default: 0] += 1
      }
    }

    private func acknowledge(_ number: UInt64) {
      let now = loop.now
      let inputs = book.acknowledge(number)
      for input in inputs { loop.record(input, at: now, isStruck: isStruck) }
      if !inputs.isEmpty { waitingSince = book.pending.isEmpty ? nil : now }
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

  extension HostMessage {
    /// Whether only the owner of a session may say it.
    ///
    /// A welcome may be on its way when a node is stopped: what it says was acknowledged before.
    fileprivate var isOfOwner: Bool {
      switch self {
      case .frame, .acknowledged: true
      case .welcome, .move, .end: false
      }
    }
  }
#endif
