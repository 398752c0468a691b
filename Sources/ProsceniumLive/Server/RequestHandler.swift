// SPDX-License-Identifier: Apache-2.0

#if Live
  import NIOCore
  import NIOHTTP1
  import NIOWebSocket

  /// Reads requests, and passes each to a task that answers it.
  final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a body may be, in bytes.
    static let bodyLimit = 65_536

    private let connection: LiveConnection
    private let pass: (LiveRequest, _ keepsOpen: Bool) -> Void
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var isTooLarge = false

    init(
      _ connection: LiveConnection, pass: @escaping (LiveRequest, _ keepsOpen: Bool) -> Void
    ) {
      self.connection = connection
      self.pass = pass
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        self.head = head
        body = []
        isTooLarge = false
      case .body(let part):
        if body.count + part.readableBytes > Self.bodyLimit { isTooLarge = true }
        if !isTooLarge { body += part.readableBytesView }
      case .end:
        // Not before: a request has so long to come in.
        connection.hear()
        guard let head else { return }
        self.head = nil
        guard !isTooLarge else {
          return context.channel.answer(
            LiveResponse(status: 413, "expected a body of at most \(Self.bodyLimit) bytes"),
            keepsOpen: false)
        }
        var request = LiveRequest(head, peer: context.remoteAddress?.ipAddress ?? "")
        request.body = body
        // Behind a request for an upgrade the library reads no more requests.
        pass(request, head.isKeepAlive && !head.headers.contains(name: "upgrade"))
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      // A request whose upgrade is refused comes next, and gets the reason as its answer.
      if error is NIOWebSocketUpgradeError { return }
      context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      connection.end()
      context.fireChannelInactive()
    }
  }

  extension LiveRequest {
    init(_ head: HTTPRequestHead, peer: String) {
      self.init(
        method: head.method.rawValue,
        path: String(head.uri.prefix { $0 != "?" && $0 != "#" }),
        headers: head.headers.map { Header($0.name, $0.value) }, peer: peer)
    }
  }

  extension Channel {
    /// Writes an answer, from any thread.
    ///
    /// The answer ends, and the next request is read, once the socket has taken all of it: a client
    /// that sends requests and does not read makes no answers gather.
    func answer(_ response: LiveResponse, keepsOpen: Bool, isHead: Bool = false) {
      write(HTTPServerResponsePart.head(response.head(keepsOpen: keepsOpen)), promise: nil)
      let body = allocator.buffer(bytes: isHead ? [] : response.body)
      writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(body))).whenComplete { _ in
        self.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in
          if !keepsOpen { self.close(promise: nil) }
        }
      }
    }
  }

  extension LiveResponse {
    fileprivate func head(keepsOpen: Bool) -> HTTPResponseHead {
      var headers = HTTPHeaders(LiveHeaders.common)
      // An answer without content has neither.
      if status != 204 {
        headers.add(name: "Content-Type", value: type)
        headers.add(name: "Content-Length", value: String(body.count))
      }
      for cookie in cookies { headers.add(name: "Set-Cookie", value: cookie) }
      if !keepsOpen { headers.add(name: "Connection", value: "close") }
      return HTTPResponseHead(
        version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)
    }
  }
#endif
