// SPDX-License-Identifier: Apache-2.0

#if Live
  import Testing

  /// What a tab is on the other side of a socket: it opens a line, and sends and reads messages.
  struct LineClient: Sendable {
    let socket: SocketClient

    /// Sends a text message.
    func send(_ text: String) {
      send(WireFrame(text: text))
    }

    func send(_ frames: WireFrame...) {
      socket.send(frames.flatMap(\.bytes))
    }

    /// The next frame; nil at the end of the connection.
    func frame() async -> WireFrame? {
      await socket.read { bytes in WireFrame.read(bytes).map { ($0.frame, $0.size) } }
    }

    /// The next frame in words: the text of a text message, `ping`, `pong`, `close` with its code,
    /// or `ended` at the end of the connection.
    func next() async -> String {
      guard let frame = await frame() else { return "ended" }
      switch frame.opcode {
      case WireFrame.text: return String(decoding: frame.payload, as: UTF8.self)
      case WireFrame.ping: return "ping"
      case WireFrame.pong: return "pong"
      case WireFrame.close:
        return "close \(frame.payload.prefix(2).reduce(0) { $0 << 8 | Int($1) })"
      default: return "unknown"
      }
    }

    /// Reads until a message begins with a text; returns it, or nil if the connection ends first.
    func next(beginning start: String) async -> String? {
      while true {
        let message = await next()
        if message.hasPrefix(start) { return message }
        if message == "ended" { return nil }
      }
    }

    /// Sends an input, and returns the patch after it once it is acknowledged too: either may come
    /// first.
    func input(_ number: Int) async -> String {
      send(CountingPage.input(number))
      let replies = [await next(), await next()].sorted()
      guard replies[0] == "acknowledged \(number)" else { return "\(replies)" }
      return replies[1]
    }

    /// Reads until the line is closed; returns what was said then.
    func end() async -> String {
      while true {
        let message = await next()
        if message == "ended" || message.hasPrefix("close ") { return message }
      }
    }
  }

  /// What a tab knows of its line.
  struct Welcome {
    /// The address of the session, if it is a new one.
    var session: String?
    let epoch: String
    let lastInput: Int
    let reset: String

    /// Reads the first messages of a line.
    init(_ client: LineClient) async throws {
      while true {
        let words = await client.next().split(separator: " ").map(String.init)
        switch words.first {
        case "move": session = words.last
        case "welcome":
          (epoch, lastInput, reset) = (words[2], try #require(Int(words[3])), words[4])
          return
        default: throw Unexpected(words: words.joined(separator: " "))
        }
      }
    }

    struct Unexpected: Error {
      let words: String
    }
  }
#endif
