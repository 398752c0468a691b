// SPDX-License-Identifier: Apache-2.0

#if Live
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOWebSocket
  import Proscenium
  import ProsceniumClientProtocol

  /// Listens, sets up connections, and ends those that take too long.
  final class LiveListener: Sendable {
    /// How many connections wait until they are taken.
    private static let backlog: Int32 = 4_096

    /// How large the head of a request may be: a token, and what browsers and proxies add.
    private static let headLimits = {
      var limits = NIOHTTPDecoderLimitConfiguration()
      limits.maxHeaderFieldSize = 8 << 10
      limits.maxHeaderListSize = 16 << 10
      limits.maxHeaderFieldCount = 64
      return limits
    }()

    let site: LiveSite
    private let settings: LiveSettings
    private let clock: ServerClock
    let connections: ConnectionList
    private let sessions: TabSessions
    private let slices: SliceExchange
    private let jobs: AsyncStream<LiveJob>.Continuation

    init(
      _ tokens: LiveTokens, _ settings: LiveSettings, _ application: Application,
      _ jobs: AsyncStream<LiveJob>.Continuation
    ) {
      self.settings = settings
      self.jobs = jobs
      slices = application.slices
      clock = ServerClock(settings, tokens)
      connections = ConnectionList(limit: settings.connectionLimit)
      site = LiveSite(
        settings: settings, rules: RequestRules(settings), tokens: tokens,
        causes: CauseLog(settings.log, elapsed: clock.elapsed))
      sessions = TabSessions(
        application: application, settings: settings, elapsed: clock.elapsed, causes: site.causes)
    }

    // MARK: - Listening

    /// Begins to listen.
    ///
    /// - Throws: A ``LiveError`` if the system refuses.
    func listen() async throws -> any Channel {
      let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .serverChannelOption(.backlog, value: Self.backlog)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        // What comes is small as a rule, and a buffer is kept for each connection.
        .childChannelOption(
          .recvAllocator,
          value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 1_024, maximum: 65_536)
        )
        .childChannelInitializer { [self] channel in
          channel.eventLoop.makeCompletedFuture { try setUp(channel) }
        }
      do {
        switch settings.place {
        case .address(let host, let port):
          return try await bootstrap.bind(host: host, port: port).get()
        case .inherited(let descriptor):
          return try await bootstrap.withBoundSocket(descriptor).get()
        }
      } catch let error as IOError {
        let isInUse = error.errnoCode == EADDRINUSE
        throw LiveError(
          isInUse ? .addressInUse : .addressRefused,
          "the server cannot listen at \(settings.place): \(error.description)")
      }
    }

    /// The address of the pages.
    func url(of channel: any Channel) -> String {
      if let host = settings.hosts.first { return "https://\(host)/" }
      guard let address = channel.localAddress, let port = address.port else { return "" }
      let host = address.ipAddress ?? "127.0.0.1"
      return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
    }

    // MARK: - Connections

    private struct TooMany: Error {}
    private struct NoAdmission: Error {}

    /// Sets a connection up that was taken; on its event loop.
    private func setUp(_ channel: any Channel) throws {
      let connection = LiveConnection(channel, clock, jobs) { [slices] in slices.mayServe }
      guard connections.add(connection) else {
        site.causes.note(.tooManyConnections)
        throw TooMany()
      }
      channel.closeFuture.whenComplete { [connections] _ in
        connection.end()
        connections.remove(connection)
      }
      let handler = RequestHandler(connection) { [jobs] request, keepsOpen in
        jobs.yield(.answer(request, connection, keepsOpen: keepsOpen))
      }
      let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
      let upgrader = NIOWebSocketServerUpgrader(
        maxFrameSize: LineHandler.messageLimit, automaticErrorHandling: false,
        shouldUpgrade: { [self] channel, head in
          channel.eventLoop.makeSucceededFuture(admission(head, channel) == nil ? nil : [:])
        },
        upgradePipelineHandler: { [self] channel, head in
          channel.eventLoop.makeCompletedFuture {
            try openLine(head, connection, replacing: bound.value)
          }
        })
      let pipeline = channel.pipeline.syncOperations
      try pipeline.configureHTTPServerPipeline(
        withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }),
        withEncoderConfiguration: .init(),
        withDecoderLimitConfiguration: Self.headLimits)
      try pipeline.addHandler(handler)
    }

    /// In whose name a request may open a line; nil if it may not, or wants something else.
    ///
    /// The reason is in the answer, which it gets as any other request.
    private func admission(_ head: HTTPRequestHead, _ channel: any Channel) -> LiveSite.Admission? {
      let request = LiveRequest(head, peer: channel.remoteAddress?.ipAddress ?? "")
      guard LivePath(request.path) == .line else { return nil }
      return try? site.admit(request)
    }

    private func openLine(
      _ head: HTTPRequestHead, _ connection: LiveConnection, replacing handler: RequestHandler
    ) throws {
      let channel = connection.channel
      guard let admission = admission(head, channel) else { throw NoAdmission() }
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(
        LineHandler(connection, rate: settings.messageRate, site.causes))
      pipeline.removeHandler(handler, promise: nil)
      connection.becomeLine(
        sessions.conversation(
          admission.token, lost: PageInput(head.uri.utf8)?["lost"], connection),
        until: admission.token.expiry)
    }

    // MARK: - The end of connections

    /// Looks every second what is due, until the task is cancelled.
    func patrol() async {
      let limits = ConnectionTimes.Limits(
        request: Int(settings.requestLimit.components.seconds),
        ping: Int(settings.pingInterval.components.seconds),
        stall: Int(settings.stallLimit.components.seconds))
      while (try? await settings.clock.sleep(for: .seconds(1))) != nil {
        for connection in connections.all {
          if let cause = connection.inspect(limits) { site.causes.note(cause) }
        }
        site.causes.flush()
      }
    }

    /// Ends what is left, and returns when all of it is closed.
    func close(_ channel: any Channel) async {
      try? await channel.close()
      let left = connections.end()
      for connection in left {
        connection.takeConversation()?.end()
        connection.close(.goingAway)
        connection.channel.eventLoop.execute { connection.channel.close(promise: nil) }
      }
      for connection in left { try? await connection.channel.closeFuture.get() }
    }
  }
#endif
