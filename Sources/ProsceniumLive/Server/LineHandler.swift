// SPDX-License-Identifier: Apache-2.0

#if Live
  import NIOCore
  import NIOWebSocket

  /// Reads the messages of a line, and ends it when they break a rule.
  final class LineHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// How long a message may be, in bytes: content of the largest size, and the fields before it.
    static let messageLimit = 65_536 + 2_048
    /// How many frames may be parts of one message.
    static let partLimit = 64

    private let connection: LiveConnection
    private let rate: Int
    private let causes: CauseLog
    /// The parts of a message that has more of them.
    private var parts: [UInt8]?
    private var partCount = 0
    private var isOver = false

    init(_ connection: LiveConnection, rate: Int, _ causes: CauseLog) {
      self.connection = connection
      self.rate = rate
      self.causes = causes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let frame = unwrapInboundIn(data)
      if isOver || connection.isEnded {
        // Both sides have said that it is over: the server is the one that closes (RFC 6455,
        // 7.1.1).
        if frame.opcode == .connectionClose { context.close(promise: nil) }
        return
      }
      // A client masks what it sends (RFC 6455, 5.1). There are no extensions that use the reserved
      // bits (5.2); the library does not look at them.
      guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
        return refuse(.wrongProtocol)
      }
      switch frame.opcode {
      case .text:
        guard parts == nil else { return refuse(.wrongProtocol) }
        take(Array(frame.unmaskedData.readableBytesView), isLast: frame.fin)
      case .continuation:
        guard let before = parts else { return refuse(.wrongProtocol) }
        take(before + frame.unmaskedData.readableBytesView, isLast: frame.fin)
      case .binary: refuse(.notText)
      case .ping:
        connection.hear()
        // One that does not read what it gets needs no more of it.
        guard context.channel.isWritable else { return }
        let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
        context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
      case .pong: connection.hear()
      case .connectionClose:
        isOver = true
        connection.close(.normal)
        // Behind what is written at the next turn of the event loop.
        let channel = context.channel
        channel.eventLoop.execute { channel.close(promise: nil) }
      default: refuse(.wrongProtocol)
      }
    }

    private func take(_ message: [UInt8], isLast: Bool) {
      partCount += 1
      guard message.count <= Self.messageLimit, partCount <= Self.partLimit else {
        return refuse(.tooLarge)
      }
      guard isLast else {
        parts = message
        return
      }
      parts = nil
      partCount = 0
      guard (try? UTF8Span(validating: message.span)) != nil else { return refuse(.notUTF8) }
      if let cause = connection.receive(message, rate: rate) { refuse(cause) }
    }

    private func refuse(_ cause: RefusalCause) {
      isOver = true
      causes.note(cause)
      connection.close(CloseCode(cause))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      // What comes behind a frame that cannot be read; the other side is about to learn why.
      if isOver, error is ByteToMessageDecoderError { return }
      guard !isOver, let error = error as? NIOWebSocketError else {
        // The socket has failed, as by a reset.
        return context.close(promise: nil)
      }
      refuse(error == .invalidFrameLength ? .tooLarge : .wrongProtocol)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      connection.setWritable(context.channel.isWritable)
    }

    func channelInactive(context: ChannelHandlerContext) {
      connection.end()
      context.fireChannelInactive()
    }
  }
#endif
