// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import NIOCore
  import NIOHTTP1
  import NIOWebSocket

  /// Passes the texts of a socket to its client.
  final class FrameHandler: ChannelInboundHandler {
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
  final class RefusalHandler: ChannelInboundHandler, RemovableChannelHandler {
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
