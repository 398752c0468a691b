// SPDX-License-Identifier: Apache-2.0

#if Links
  import NIOCore
  import NIOPosix
  import NIOSSL
  package import ProsceniumCluster
  import ProsceniumPrimitives

  /// The connections of a node with the others, over TCP with TLS.
  package final class TLSNetwork: LinkNetwork {
    /// What there is while the node listens.
    private struct Listening: Sendable {
      let channel: any Channel
      let caller: NIOSSLContext
    }

    /// What is open.
    private struct Connections: Sendable {
      var all: [ObjectIdentifier: TLSConnection] = [:]
      /// Whether nothing is added any more.
      var isClosed = false
    }

    /// How many connections others may have open at a time.
    static let connectionLimit = 1_024
    /// How long it may take until both sides have shown their certificates.
    static let patience = TimeAmount.seconds(5)

    private let host: String
    private let port: Int
    private let published: String?
    private let group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup
    private let listening = Guarded<Listening?>(nil)
    private let connections = Guarded(Connections())

    package init(at host: String, port: Int, published: String?) {
      self.host = host
      self.port = port
      self.published = published
    }

    // MARK: - Listening

    package func open(
      _ take: @escaping @Sendable (any LinkConnection) -> Void
    ) async throws -> LinkIdentity {
      connections.withLock { $0.isClosed = false }
      let certificate = try LinkCertificate()
      let context = try certificate.context(listens: true)
      let caller = try certificate.context(listens: false)
      let bootstrap = ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { [self] channel in
          let connection = TLSConnection(channel)
          guard enter(connection, upTo: Self.connectionLimit) else {
            return channel.eventLoop.makeFailedFuture(LinkFault("too many connections, or closed"))
          }
          connection.setUp(within: Self.patience) {
            NIOSSLServerHandler(context: context) { _, promise in
              promise.succeed(.certificateVerified)
            }
          }.whenSuccess { take(connection) }
          return channel.eventLoop.makeSucceededVoidFuture()
        }
      let channel: any Channel
      do {
        channel = try await bootstrap.bind(host: host, port: port).get()
      } catch let error as IOError {
        throw LinkError(
          error.errnoCode == EADDRINUSE ? .addressInUse : .addressRefused,
          "the node cannot listen at \(host), port \(port): \(error.description)")
      } catch {
        throw LinkError(
          .addressRefused, "the node cannot listen at \(host), port \(port): \(error)")
      }
      listening.withLock { $0 = Listening(channel: channel, caller: caller) }
      return LinkIdentity(
        address: address(port: channel.localAddress?.port ?? port),
        fingerprint: certificate.fingerprint)
    }

    /// Where the others reach this node, if it listens at a port.
    private func address(port: Int) -> String {
      let host = published ?? self.host
      if let published, LinkAddress(published) != nil { return published }
      return LinkAddress(host: host, port: port).description
    }

    // MARK: - Calling

    package func connect(to member: ClusterMember) async throws(LinkFault) -> any LinkConnection {
      guard let caller = listening.withLock({ $0?.caller }) else {
        throw LinkFault("the node does not listen any more")
      }
      guard let address = LinkAddress(member.link.address) else {
        throw LinkFault("expected a host and a port, found \(member.link.address)")
      }
      do {
        return try await ClientBootstrap(group: group)
          .connectTimeout(Self.patience)
          // Nothing is read before TLS is set up.
          .channelOption(.autoRead, value: false)
          .connect(host: address.host, port: address.port)
          // On the event loop: the other node does not wait until the program has a thread for it.
          .flatMap { channel in channel.eventLoop.flatSubmit { self.begin(channel, caller) } }
          .get()
      } catch {
        throw LinkFault("\(address) was not reached: \(error)")
      }
    }

    /// Begins with TLS on a connection that this node has opened; on the channel's event loop.
    func begin(
      _ channel: any Channel, _ context: NIOSSLContext
    ) -> EventLoopFuture<TLSConnection> {
      let connection = TLSConnection(channel)
      guard enter(connection) else {
        channel.close(promise: nil)
        return channel.eventLoop.makeFailedFuture(LinkFault("this node has closed its network"))
      }
      return connection.setUp(within: Self.patience) {
        try NIOSSLClientHandler(context: context, serverHostname: nil) { _, promise in
          promise.succeed(.certificateVerified)
        }
      }.map { connection }
    }

    // MARK: - Connections

    /// Enters a connection until it is closed.
    ///
    /// - Returns: Whether there are no more than there may be, and the network is open.
    private func enter(_ connection: TLSConnection, upTo limit: Int = .max) -> Bool {
      let isEntered = connections.withLock { connections in
        guard !connections.isClosed, connections.all.count < limit else { return false }
        connections.all[ObjectIdentifier(connection)] = connection
        return true
      }
      guard isEntered else { return false }
      connection.channel.closeFuture.whenComplete { [weak self] _ in
        self?.connections.withLock { $0.all[ObjectIdentifier(connection)] = nil }
      }
      return true
    }

    package func close() async {
      let channel = listening.withLock { listening in
        defer { listening = nil }
        return listening?.channel
      }
      try? await channel?.close()
      let left = connections.withLock { connections in
        connections.isClosed = true
        return Array(connections.all.values)
      }
      for connection in left { connection.close() }
      for connection in left { try? await connection.channel.closeFuture.get() }
    }
  }
#endif
