// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumDashboard

/// What is refused, first without a server and then over a socket.
@Suite(.timeLimit(.minutes(10))) struct DashboardRequestTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: DashboardError.Code?
    let change: @Sendable (inout DashboardRequest) -> Void

    init(
      _ name: String, _ code: DashboardError.Code?,
      _ change: @escaping @Sendable (inout DashboardRequest) -> Void
    ) {
      testDescription = name
      self.code = code
      self.change = change
    }
  }

  static let cases = [
    Case("as it should be", nil) { _ in },
    Case("localhost", nil) { $0.host = "LocalHost:80" },
    Case("IPv6", nil) { $0.host = "[::1]:80" },
    Case("no host", .wrongHost) { $0.host = nil },
    Case("another host", .wrongHost) { $0.host = "evil.example:80" },
    Case("another port", .wrongHost) { $0.host = "127.0.0.1:81" },
    Case("no port", .wrongHost) { $0.host = "127.0.0.1" },
    Case("a host that begins alike", .wrongHost) { $0.host = "127.0.0.1:80.evil.example" },
    Case("a body in chunks", .missingLength) { $0.bodyLength = nil },
    Case("the longest body", nil) { $0.bodyLength = 1_024 },
    Case("a body that is too long", .bodyTooLarge) { $0.bodyLength = 1_025 },
    Case("another path", .unknownPath) { $0.path = "/actions" },
    Case("another action", .unknownPath) { $0.path = "/actions/quit" },
    Case("another method", .wrongMethod) { $0.method = "GET" },
    Case("a question of a browser", .wrongMethod) { $0.method = "OPTIONS" },
    Case("a page with POST", .wrongMethod) { $0.path = "/" },
    Case("a page of another site", .wrongSite) { $0.site = "cross-site" },
    Case("a page of the same site", nil) { $0.site = "same-origin" },
    Case("no token", .missingToken) { $0.token = nil },
    Case("an empty token", .missingToken) { $0.token = "" },
    Case("another token", .wrongToken) { $0.token = "0" },
  ]

  @Test(arguments: cases) func `a request has what it needs`(_ example: Case) {
    var request = DashboardRequest(
      method: "POST", path: "/actions/discard", host: "127.0.0.1:80",
      token: DashboardToken.ofTests.text, site: nil, bodyLength: 0)
    example.change(&request)
    do throws(DashboardError) {
      let route = try request.route(port: 80, expecting: .ofTests)
      #expect(example.code == nil)
      #expect(route == .action(.discard))
    } catch {
      #expect(error.code == example.code)
    }
  }

  @Test func `without a token of its own a dashboard lets no page act`() {
    let request = DashboardRequest(
      method: "POST", path: "/actions/discard", host: "127.0.0.1:80",
      token: DashboardToken.ofTests.text, site: nil, bodyLength: 0)
    let error = #expect(throws: DashboardError.self) {
      try request.route(port: 80, expecting: nil)
    }
    #expect(error?.code == .readOnly)
  }

  @Test func `a link from another site may lead to the page`() throws {
    let request = DashboardRequest(
      method: "GET", path: "/", host: "127.0.0.1:80", token: nil, site: "cross-site",
      bodyLength: 0)
    #expect(try request.route(port: 80, expecting: nil) == .page)
  }

  @Test(arguments: ["evil.example", "127.0.0.1", "localhost:1"])
  func `a request that names another host gets nothing`(_ host: String) async throws {
    try await DashboardStage.run { stage in
      for path in ["/", "/updates", "/dashboard.js"] {
        let reply = try await stage.client.send("GET", path, ["Host": host])
        #expect(reply.status == 421)
        #expect(reply.code == "wrongHost")
      }
    }
  }

  @Test(arguments: [true, false])
  func `what is left of a body is not taken for a request`(_ isChunked: Bool) async throws {
    try await DashboardStage.run { stage in
      let host = "Host: 127.0.0.1:\(stage.client.port)\r\n"
      let inner =
        "GET /dashboard.css HTTP/1.1\r\n\(host)\r\n" + String(repeating: " ", count: 2_000)
      let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(inner.utf8.count)"
      let text = try await stage.client.exchange(
        "POST /actions/storm HTTP/1.1\r\n\(host)\(length)\r\n\r\n\(inner)")
      let reply = PageReply(text)
      #expect(reply.status == (isChunked ? 411 : 413))
      #expect(reply.code == (isChunked ? "missingLength" : "bodyTooLarge"))
      #expect(!text.contains("color-scheme"))
    }
  }
}
