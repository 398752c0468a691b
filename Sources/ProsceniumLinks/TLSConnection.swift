// SPDX-License-Identifier: Apache-2.0

#if Links
  import NIOCore
  import NIOPosix
  import NIOSSL
  import NIOTLS
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// A connection with another node, over TCP with TLS.
  final class TLSConnection: LinkConnection {
    private struct State: Sendable {
      var received = ByteBuffer()
      /// Whether the system is asked for more as it comes.
      var isReading = true
      var isEnded = false
      var fault: LinkFault?
      /// What waits for a frame, and how large that may be.
      var reader: CheckedContinuation<Void, Never>?
      var limit = 0
      var fingerprint: [UInt8] = []

      mutating func wake() -> CheckedContinuation<Void, Never>? {
        defer { reader = nil }
        return reader
      }
    }

    /// How much is received ahead of what is read, and when it goes on.
    private static let (pausesAt, resumesAt) = (1 << 20, 1 << 18)
    /// How long what was sent may wait until the other machine has received it, in milliseconds:
    /// unless it is told, the system waits for a quarter of an hour.
    private static let silenceLimit = 10_000

    let channel: any Channel
    private let state = Guarded(State())

    init(_ channel: any Channel) {
      self.channel = channel
    }

    /// What the certificate of the other process is known by, once both have shown theirs.
    var fingerprint: [UInt8] { state.withLock { $0.fingerprint } }

    // MARK: - Beginning

    /// Begins with TLS; on the channel's event loop.
    ///
    /// - Parameters:
    ///   - time: How long that may take.
    ///   - makeTLS: Makes what speaks it.
    /// - Returns: What completes when both sides have shown their certificates, or fails with the
    ///   end of the channel.
    func setUp(
      within time: TimeAmount, _ makeTLS: () throws -> NIOSSLHandler
    ) -> EventLoopFuture<Void> {
      let promise = channel.eventLoop.makePromise(of: Void.self)
      do {
        let pipeline = channel.pipeline.syncOperations
        let options = channel.syncOptions
        try options?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        #if os(Linux)
          try options?.setOption(
            ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT)),
            value: Self.silenceLimit)
        #endif
        try pipeline.addHandlers(makeTLS(), LinkHandler(self, promise))
        try options?.setOption(.autoRead, value: true)
      } catch {
        promise.fail(error)
      }
      let limit = channel.eventLoop.scheduleTask(in: time) {
        promise.fail(LinkFault("expected a certificate within \(time)"))
      }
      promise.futureResult.whenComplete { [self] result in
        limit.cancel()
        if case .failure = result { close() }
      }
      return promise.futureResult
    }

    fileprivate func begin(with fingerprint: [UInt8]) {
      state.withLock { $0.fingerprint = fingerprint }
    }

    // MARK: - Reading

    func read(upTo limit: Int) async throws(LinkFault) -> [UInt8]? {
      while true {
        let (frame, isOver) = try state.withLock { (state) throws(LinkFault) in
          let frame = try state.received.takeFrame(upTo: limit)
          if frame == nil, let fault = state.fault { throw fault }
          return (frame, state.isEnded)
        }
        if frame != nil { resumeReading { $0.received.readableBytes < Self.resumesAt } }
        if frame != nil || isOver { return frame }
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            if state.isEnded || state.received.isReady(upTo: limit) { return true }
            (state.reader, state.limit) = (continuation, limit)
            return false
          }
          if isReady { continuation.resume() } else { resumeReading { _ in true } }
        }
      }
    }

    /// Asks the system for more, if it was asked to wait and there is room.
    private func resumeReading(_ hasRoom: (borrowing State) -> Bool) {
      let resumes = state.withLock { state in
        guard !state.isReading, hasRoom(state) else { return false }
        state.isReading = true
        return true
      }
      // If the channel is closed there is nothing more.
      if resumes { channel.setOption(.autoRead, value: true).whenFailure { _ in } }
    }

    /// Takes what has come; returns whether the system is to be asked for more.
    fileprivate func take(_ buffer: inout ByteBuffer) -> Bool {
      let (reader, isReading) = state.withLock { state in
        if state.received.readableBytes == 0 {
          state.received.clear()
        } else if state.received.readerIndex > Self.pausesAt {
          state.received.discardReadBytes()
        }
        state.received.writeBuffer(&buffer)
        let reader = state.received.isReady(upTo: state.limit) ? state.wake() : nil
        // A frame that is waited for may be larger.
        if state.received.readableBytes >= Self.pausesAt, state.reader == nil {
          state.isReading = false
        }
        return (reader, state.isReading)
      }
      reader?.resume()
      return isReading
    }

    /// Takes note that nothing more comes.
    fileprivate func end(_ fault: LinkFault?) {
      state.withLock { state in
        if !state.isEnded { (state.isEnded, state.fault) = (true, fault) }
        return state.wake()
      }?.resume()
    }

    // MARK: - Writing

    func write(_ bytes: [UInt8]) async throws(LinkFault) {
      do {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
      } catch {
        throw LinkFault("the connection has ended: \(error)")
      }
    }

    func close() {
      channel.close(promise: nil)
      end(nil)
    }
  }

  /// Brings a connection what its channel receives.
  private final class LinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: TLSConnection
    private let promise: EventLoopPromise<Void>

    init(_ connection: TLSConnection, _ promise: EventLoopPromise<Void>) {
      self.connection = connection
      self.promise = promise
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      guard case .handshakeCompleted? = event as? TLSUserEvent else {
        return context.fireUserInboundEventTriggered(event)
      }
      do {
        guard let shown = try context.pipeline.syncOperations.nioSSL_peerCertificate() else {
          return promise.fail(LinkFault("expected a certificate"))
        }
        connection.begin(with: LinkCertificate.fingerprint(of: try shown.toDERBytes()))
        promise.succeed()
      } catch {
        promise.fail(error)
      }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var buffer = unwrapInboundIn(data)
      if connection.take(&buffer) { return }
      try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    }

    func channelInactive(context: ChannelHandlerContext) {
      finish(LinkFault("the connection has ended"), isFault: false)
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      finish(LinkFault("\(error)"), isFault: true)
      context.close(promise: nil)
    }

    private func finish(_ fault: LinkFault, isFault: Bool) {
      promise.fail(fault)
      connection.end(isFault ? fault : nil)
    }
  }

  extension ByteBuffer {
    private var frameLength: Int? {
      getInteger(at: readerIndex, endianness: .little, as: UInt32.self).map { Int($0) }
    }

    /// Whether a frame is there as a whole, or is too large.
    fileprivate func isReady(upTo limit: Int) -> Bool {
      frameLength.map { $0 > limit || readableBytes >= 4 + $0 } ?? false
    }

    /// Takes a frame without its length, if it is there as a whole.
    fileprivate mutating func takeFrame(upTo limit: Int) throws(LinkFault) -> [UInt8]? {
      guard let length = frameLength else { return nil }
      guard length <= limit else {
        throw LinkFault("expected a frame of at most \(limit) bytes, found one of \(length)")
      }
      guard readableBytes >= 4 + length else { return nil }
      moveReaderIndex(forwardBy: 4)
      return readBytes(length: length)
    }
  }
#endif
