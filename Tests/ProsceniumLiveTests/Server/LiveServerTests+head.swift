// SPDX-License-Identifier: Apache-2.0

#if Live
  import Testing

  @testable import ProsceniumLive

  extension LiveServerTests {
    /// How large the head of a request may be.
    struct Heads {
      struct Head: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lines: String
        var isGood = false
      }

      static let heads = [
        Head(testDescription: "a line of 7 kB", lines: field(1, 7_000), isGood: true),
        Head(testDescription: "a line of 9 kB", lines: field(1, 9_000)),
        Head(testDescription: "a line of 1 MB", lines: field(1, 1 << 20)),
        Head(testDescription: "50 lines", lines: fields(50, 10), isGood: true),
        Head(testDescription: "200 lines", lines: fields(200, 10)),
        Head(testDescription: "20 kB of lines", lines: fields(20, 1_000)),
      ]

      private static func field(_ number: Int, _ size: Int) -> String {
        "X-\(number): \(String(repeating: "x", count: size))\r\n"
      }

      private static func fields(_ count: Int, _ size: Int) -> String {
        (0..<count).map { field($0, size) }.joined()
      }

      @Test(arguments: heads)
      func `a head that is too large is refused`(_ head: Head) async throws {
        try await LiveStage.serving { stage in
          let socket = try await stage.connect()
          let answer = await stage.ask(socket, stage.head("GET", "/", more: head.lines))
          if head.isGood {
            #expect(answer?.status == 200)
          } else {
            // What is left of the head when the server closes can cost the answer.
            #expect(answer == nil || answer?.status == 400)
            await socket.waitForEnd()
          }
        }
      }

      @Test func `a path without an end is refused`() async throws {
        try await LiveStage.serving { stage in
          let path = "/" + String(repeating: "x", count: 1 << 20)
          let socket = try await stage.connect()
          let answer = await stage.ask(socket, stage.head("GET", path))
          #expect(answer == nil || answer?.status == 400 || answer?.status == 414)
          await socket.waitForEnd()
        }
      }

      @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: a\r\nHost 1\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
        "GET /\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        "POST /renew HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "POST /renew HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST /renew HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n",
      ]) func `a request that cannot be read is refused`(_ request: String) async throws {
        try await LiveStage.serving { stage in
          let socket = try await stage.connect()
          let answer = await stage.ask(socket, request)
          #expect(answer == nil || answer?.status == 400, "\(answer?.status ?? 0)")
          await socket.waitForEnd()
        }
      }

      @Test func `a body that is too large is refused`() async throws {
        try await LiveStage.serving { stage in
          let body = String(repeating: "x", count: RequestHandler.bodyLimit + 1)
          let head = stage.head(
            "POST", "/renew", origin: stage.origin, more: "Content-Length: \(body.utf8.count)\r\n")
          let socket = try await stage.connect()
          #expect(await stage.ask(socket, head + body)?.status == 413)
          await socket.waitForEnd()
        }
      }
    }
  }
#endif
