// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumLive

/// A request is believed what it has to be believed, and no more.
struct RequestRulesTests {
  private static func request(
    _ headers: KeyValuePairs<String, String>, from peer: String = "192.0.2.1"
  ) -> LiveRequest {
    LiveRequest(
      method: "GET", path: "/", headers: headers.map { LiveRequest.Header($0.key, $0.value) },
      peer: peer)
  }

  private static func rules(hosts: [String] = [], proxies: [String] = []) -> RequestRules {
    var settings = LiveSettings(keys: LiveKeys.keys(1))
    settings.hosts = hosts
    settings.proxies = proxies
    return RequestRules(settings)
  }

  private static func refusal(
    _ body: () throws(RequestRefusal) -> Void
  ) -> RequestRefusal? {
    do throws(RequestRefusal) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  // MARK: - Hosts

  @Test(arguments: [
    "localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8080",
  ])
  func `without names this machine alone is served, with any port`(_ host: String) throws {
    let origin = try Self.rules().origin(of: Self.request(["Host": host]))
    #expect(origin.host == host.lowercased())
    #expect(origin.text == "http://\(host.lowercased())")
    #expect(origin.client == "192.0.2.1")
  }

  @Test(arguments: [
    "", "example.org", "localhost.example.org", "127.0.0.1.example.org", "example.org:8080",
    "localhost@example.org", "example.org#localhost", "::1", "[::1", "[::1]x", "[::2]:80",
    "127.0.0.2", "0.0.0.0", "localhost:80:80", "xlocalhost", "localhost.", " localhost", ":80",
    "127.1", "2130706433",
  ])
  func `a name that leads here by the tricks of a name server is refused`(_ host: String) {
    let refusal = Self.refusal { () throws(RequestRefusal) in
      _ = try Self.rules().origin(of: Self.request(["Host": host]))
    }
    #expect(refusal == RequestRefusal(421, .wrongHost, "expected the name of this host"))
  }

  @Test func `a request without a host is refused`() {
    #expect(throws: RequestRefusal.self) { try Self.rules().origin(of: Self.request([:])) }
  }

  @Test(arguments: [
    ("example.org", true), ("EXAMPLE.org", true), ("example.net:8443", true),
    ("example.net", false), ("example.org:8080", false), ("localhost", false),
    ("www.example.org", false), ("127.0.0.1", false),
  ])
  func `with names these alone are served, with their port`(_ host: String, _ isServed: Bool) {
    let rules = Self.rules(hosts: ["Example.org", "example.net:8443"])
    let refusal = Self.refusal { () throws(RequestRefusal) in
      _ = try rules.origin(of: Self.request(["Host": host]))
    }
    #expect((refusal == nil) == isServed)
  }

  // MARK: - Proxies

  private static let forwarded: KeyValuePairs = [
    "Host": "localhost", "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "HTTPS",
    "X-Forwarded-Host": "example.org",
  ]

  @Test func `what a proxy says is believed`() throws {
    let rules = Self.rules(hosts: ["example.org"], proxies: ["192.0.2.1"])
    let origin = try rules.origin(of: Self.request(Self.forwarded))
    #expect(origin.client == "203.0.113.9")
    #expect(origin.text == "https://example.org")
    #expect(origin.isSecure)
  }

  @Test func `what anyone else says is not`() throws {
    let rules = Self.rules(proxies: ["192.0.2.2"])
    let origin = try rules.origin(of: Self.request(Self.forwarded))
    #expect(origin.client == "192.0.2.1")
    #expect(origin.text == "http://localhost")
    #expect(!origin.isSecure)
    let named = Self.rules(hosts: ["example.org"], proxies: ["192.0.2.2"])
    #expect(throws: RequestRefusal.self) { try named.origin(of: Self.request(Self.forwarded)) }
  }

  @Test func `a proxy that says nothing adds nothing`() throws {
    let rules = Self.rules(proxies: ["192.0.2.1"])
    let origin = try rules.origin(of: Self.request(["Host": "localhost"]))
    #expect(origin.client == "192.0.2.1")
    #expect(origin.text == "http://localhost")
  }

  @Test(arguments: ["http", "", "https,http", "httpsx", " https"])
  func `only https is secure`(_ scheme: String) throws {
    let rules = Self.rules(proxies: ["192.0.2.1"])
    let request = Self.request(["Host": "localhost", "X-Forwarded-Proto": scheme])
    #expect(try !rules.origin(of: request).isSecure)
  }

  @Test(
    arguments: [
      (["203.0.113.9"], "203.0.113.9"),
      (["1.1.1.1, 203.0.113.9"], "203.0.113.9"),
      (["1.1.1.1,203.0.113.9,192.0.2.1"], "203.0.113.9"),
      (["1.1.1.1, 203.0.113.9 , 192.0.2.7, 192.0.2.1"], "203.0.113.9"),
      (["1.1.1.1", "203.0.113.9", "192.0.2.7"], "203.0.113.9"),
      (["192.0.2.7, 192.0.2.1"], "192.0.2.1"), ([""], "192.0.2.1"), ([" , ,"], "192.0.2.1"),
      (["203.0.113.9,, "], "203.0.113.9"), (["2001:db8::1"], "2001:db8::1"), ([], "192.0.2.1"),
    ] as [([String], String)])
  func `the client is the last address that is no proxy`(_ lines: [String], _ client: String)
    throws
  {
    var request = Self.request(["Host": "localhost"])
    request.headers += lines.map { LiveRequest.Header("X-Forwarded-For", $0) }
    let rules = Self.rules(proxies: ["192.0.2.1", "192.0.2.7"])
    #expect(try rules.origin(of: request).client == client)
  }

  // MARK: - Origins

  private static func isSame(_ origin: String?, _ headers: KeyValuePairs<String, String>) -> Bool {
    var request = request(headers)
    if let origin { request.headers.append(LiveRequest.Header("Origin", origin)) }
    let rules = rules(proxies: ["192.0.2.1"])
    return refusal { () throws(RequestRefusal) in
      try rules.checkSameOrigin(request, try rules.origin(of: request))
    } == nil
  }

  @Test(
    arguments: [
      ("http://localhost:8080", true), ("HTTP://LocalHost:8080", true),
      ("https://localhost:8080", false), ("http://localhost", false),
      ("http://localhost:80801", false), ("http://localhost:8081", false),
      ("http://127.0.0.1:8080", false), ("http://localhost:8080/", false), ("null", false),
      ("", false), (nil, false), ("localhost:8080", false), ("http://", false),
      ("http://localhost:8080.example.org", false), ("http://example.org", false),
      ("http://localhost:8080 http://example.org", false),
    ] as [(String?, Bool)])
  func `a page of this host is of the same scheme, name and port`(_ origin: String?, _ isSame: Bool)
  {
    #expect(Self.isSame(origin, ["Host": "localhost:8080"]) == isSame)
  }

  @Test(
    arguments: [
      ("https://localhost", true), ("http://localhost", false), ("https://localhost:443", false),
      (nil, false),
    ] as [(String?, Bool)])
  func `behind a proxy with TLS a page of this host has https`(_ origin: String?, _ isSame: Bool) {
    #expect(
      Self.isSame(origin, ["Host": "localhost", "X-Forwarded-Proto": "https"]) == isSame)
  }

  @Test func `the refusal says why`() {
    let request = Self.request(["Host": "localhost", "Origin": "http://example.org"])
    let rules = Self.rules()
    let refusal = Self.refusal { () throws(RequestRefusal) in
      try rules.checkSameOrigin(request, try rules.origin(of: request))
    }
    #expect(
      refusal
        == RequestRefusal(403, .wrongOrigin, "expected a request of a page of this host"))
  }

  @Test func `headers of any kind do not trap`() {
    var random = SplitMix64(seed: 21)
    let marks = Array("[]:,;= \t\u{0}/@#.1aé\u{301}\u{600}")
    let names = ["Host", "Origin", "X-Forwarded-For", "X-Forwarded-Host", "Cookie"]
    for _ in 0..<20_000 {
      var request = Self.request([:])
      for name in names where random.happens(perThousand: 800) {
        let value = String(
          (0..<random.number(below: 12)).map { _ in marks[random.number(below: marks.count)] })
        request.headers.append(LiveRequest.Header(name, value))
      }
      let rules = Self.rules(
        hosts: random.happens(perThousand: 500) ? ["a", ":"] : [], proxies: ["192.0.2.1"])
      if let origin = try? rules.origin(of: request) {
        _ = try? rules.checkSameOrigin(request, origin)
      }
      _ = request.cookie("a")
    }
  }

  // A comma after U+0600, which belongs to what follows it, is no `Character` of its own.
  @Test func `a client cannot hide the comma before its address`() throws {
    var settings = LiveSettings(keys: LiveKeys.keys(1))
    settings.proxies = ["10.0.0.1"]
    let request = SiteStage.request(
      "GET", "/", peer: "10.0.0.1",
      headers: ["X-Forwarded-For": "198.51.100.1\u{600}, 203.0.113.9"])
    #expect(try RequestRules(settings).origin(of: request).client == "203.0.113.9")
  }

  @Test func `a proxy that serves the host under its name is believed`() throws {
    var settings = LiveSettings(keys: LiveKeys.keys(1))
    settings.hosts = ["notes.example.org"]
    settings.proxies = ["127.0.0.1"]
    let request = SiteStage.request(
      "GET", "/", host: "notes.example.org", peer: "127.0.0.1",
      headers: [
        "X-Forwarded-For": "203.0.113.9",
        "X-Forwarded-Proto": "https",
      ])
    let origin = try RequestRules(settings).origin(of: request)
    #expect(origin.text == "https://notes.example.org")
    #expect(origin.client == "203.0.113.9")
  }
}
