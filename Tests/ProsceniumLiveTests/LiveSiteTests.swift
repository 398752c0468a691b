// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumLive

/// What a browser asks for, it gets if it may.
struct LiveSiteTests {
  private static let session = "/s/00000000-0000-4000-8000-000000000001"

  @Test(arguments: [
    ("GET", "/", 200), ("HEAD", "/", 200), ("POST", "/", 405), ("PUT", "/", 405),
    ("GET", session, 200), ("DELETE", session, 405), ("GET", "/live.js", 200),
    ("POST", "/live.js", 405), ("GET", "/live.css", 200), ("POST", "/live.css", 405),
    ("POST", "/renew", 204), ("GET", "/renew", 405), ("HEAD", "/renew", 405),
    ("PUT", "/renew", 405), ("GET", "/line", 401), ("POST", "/line", 401), ("GET", "/s/1", 404),
    ("GET", "/s/", 404), ("GET", session + "/", 404), ("GET", "/favicon.ico", 404),
    ("GET", "//", 404), ("GET", "", 404), ("GET", "*", 404), ("POST", "/other", 404),
    ("GET", "/LINE", 404), ("GET", "/live.js/..", 404), ("GET", "http://localhost/", 404),
  ])
  func `a request is answered by its path and its method`(
    _ method: String, _ path: String, _ status: Int
  ) async throws {
    let stage = try SiteStage()
    let response = await stage.site.respond(to: SiteStage.request(method, path))
    #expect(response.status == status)
    #expect(response.cookies.isEmpty == (status != 204))
    #expect(response.body.isEmpty == (status == 204))
  }

  @Test(arguments: ["/", "/live.js", "/live.css", session, "/favicon.ico"])
  func `what is only read needs no origin`(_ path: String) async throws {
    let stage = try SiteStage()
    for origin in [nil, "null", "http://example.org"] {
      let request = SiteStage.request("GET", path, origin: origin)
      #expect(await [200, 404].contains(stage.site.respond(to: request).status))
    }
  }

  @Test(arguments: ["/", "/line", "/renew", "/live.js", "/other"], ["GET", "POST"])
  func `a request for another host is answered with 421`(_ path: String, _ method: String)
    async throws
  {
    let stage = try SiteStage { $0.respond = { _ in LiveResponse() } }
    let request = SiteStage.request(
      method, path, origin: "http://example.org", host: "example.org")
    let response = await stage.site.respond(to: request)
    #expect(response.status == 421)
    #expect(response.text == "expected the name of this host\n")
    #expect(stage.lines.take() == ["warning: wrong host, count 1, seconds 60.0"])
  }

  @Test func `the shell tells whether a token is needed, and has its title`() async throws {
    let stage = try SiteStage {
      $0.title = "<Notes> & \"more\""
      $0.language = "de"
      $0.styleSheets = ["/my.css?\""]
    }
    let html = await stage.site.respond(to: SiteStage.request("GET", "/")).text
    #expect(html.contains("<title>&lt;Notes&gt; &amp; &quot;more&quot;</title>"))
    #expect(html.contains("<html lang=\"de\">"))
    #expect(html.contains("href=\"/my.css?&quot;\""))
    #expect(html.contains("data-line=\"/line\" data-renew=\"/renew\" data-needs-token>"))
    let token = stage.site.tokens.make(owner: "anna", lifetime: .seconds(60))
    for (cookie, isKnown) in [("proscenium=\(token)", true), ("proscenium=0", false)] {
      let request = SiteStage.request("GET", "/", cookie: cookie)
      let text = await stage.site.respond(to: request).text
      #expect(text.contains("data-needs-token") == !isKnown)
    }
    // A browser without a token is none that was refused.
    #expect(stage.lines.take() == [])
  }

  // MARK: - Lines

  @Test func `a line is for one who has a token and comes from a page of the site`() async throws {
    let stage = try SiteStage()
    let good = stage.site.tokens.make(owner: "anna", lifetime: .seconds(60))
    let foreign = try SiteStage(key: 2).site.tokens.make(owner: "anna", lifetime: .seconds(60))
    let forged = good.replacing(0)
    let wanted: [(String?, String?, Int, String)] = [
      ("http://localhost", good, 426, "expected an upgrade to a WebSocket"),
      ("http://localhost", nil, 401, "expected a token"),
      ("http://localhost", "abc", 401, "expected a token of this host"),
      ("http://localhost", foreign, 401, "expected a token of this host"),
      ("http://localhost", forged, 403, "the token was changed"),
      (nil, good, 403, "expected a request of a page of this host"),
      ("http://example.org", good, 403, "expected a request of a page of this host"),
      ("https://localhost", good, 403, "expected a request of a page of this host"),
    ]
    for (origin, token, status, sentence) in wanted {
      let cookie = token.map { "proscenium=\($0)" }
      let response = await stage.site.respond(
        to: SiteStage.request("GET", "/line", origin: origin, cookie: cookie))
      #expect(response.status == status)
      #expect(response.text == sentence + "\n")
    }
    stage.date.advance(by: 60)
    let response = await stage.site.respond(
      to: SiteStage.request("GET", "/line", cookie: "proscenium=\(good)"))
    #expect(response.status == 401)
    #expect(response.text == "the token has expired\n")
  }

  @Test func `refusals are logged without the token`() async throws {
    let stage = try SiteStage()
    let good = stage.site.tokens.make(owner: "anna", lifetime: .seconds(60))
    for token in [good.replacing(0), "abc"] {
      _ = await stage.site.respond(
        to: SiteStage.request("GET", "/line", cookie: "proscenium=\(token)"))
    }
    #expect(
      stage.lines.take() == [
        "warning: forged token, count 1, seconds 60.0",
        "warning: no token, count 1, seconds 60.0",
      ])
  }

  @Test func `an admission says whose line it is, and from where`() throws {
    let stage = try SiteStage { $0.proxies = ["127.0.0.1"] }
    let text = stage.site.tokens.make(owner: "anna", lifetime: .seconds(60))
    let request = SiteStage.request(
      "GET", "/line", origin: "https://localhost", cookie: "proscenium=\(text)",
      headers: ["X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"])
    let admission = try stage.site.admit(request)
    #expect(admission.token.owner == "anna")
    #expect(admission.client == "203.0.113.9")
  }

  // MARK: - Cookies

  @Test(
    arguments: [
      ("proscenium=abc", "abc"), ("a=b; proscenium=abc; c=d", "abc"), ("a=b;proscenium=abc", "abc"),
      (" \tproscenium = abc ;x", "abc"), ("proscenium=a=b", "a=b"), ("proscenium=", nil),
      ("proscenium", nil), ("xproscenium=abc", nil), ("Proscenium=abc", nil),
      ("a=proscenium=abc", nil), ("", nil), (";;;=;", nil), ("proscenium=1; proscenium=2", "1"),
    ] as [(String, String?)])
  func `a cookie is found among others`(_ header: String, _ value: String?) {
    let request = SiteStage.request("GET", "/", cookie: header)
    #expect(request.cookie("proscenium") == value.map { $0[...] })
  }

  @Test func `cookies may come in several lines`() {
    var request = SiteStage.request("GET", "/", cookie: "a=b")
    request.headers.append(LiveRequest.Header("cookie", "proscenium=abc"))
    #expect(request.cookie("proscenium") == "abc")
  }

  // MARK: - Renewal

  @Test func `a token comes in a cookie that no script and no other site gets`() async throws {
    let stage = try SiteStage {
      $0.proxies = ["10.0.0.1"]
      $0.tokenLifetime = .seconds(3_600)
    }
    let plain = await stage.site.respond(to: SiteStage.request("POST", "/renew"))
    let token = try #require(plain.token)
    #expect(plain.status == 204)
    #expect(
      plain.cookies == [
        "proscenium=\(token); Path=/; Max-Age=3600; HttpOnly; SameSite=Strict"
      ])
    #expect(try stage.site.tokens.read(token).expiry == 1_003_600)
    let secure = await stage.site.respond(
      to: SiteStage.request(
        "POST", "/renew", origin: "https://localhost", peer: "10.0.0.1",
        headers: ["X-Forwarded-Proto": "https"]))
    #expect(secure.cookies.first?.hasSuffix("; HttpOnly; SameSite=Strict; Secure") == true)
  }

  @Test func `a browser without a name gets one and keeps it`() async throws {
    let stage = try SiteStage()
    let first = try await stage.renew()
    #expect(first.owner == "00000000-0000-4000-8000-000000000001")
    #expect(first.session == nil)
    let text = stage.site.tokens.text(of: first)
    stage.date.advance(by: 86_400)
    let second = try await stage.renew(cookie: "proscenium=\(text)")
    #expect(second.owner == first.owner)
    #expect(second.expiry == first.expiry + 86_400)
    // Another one, and one that was away for too long, get names of their own.
    #expect(try await stage.renew().owner == "00000000-0000-4000-8000-000000000002")
    stage.date.advance(by: 86_400 * 40)
    let late = try await stage.renew(cookie: "proscenium=\(text)")
    #expect(late.owner == "00000000-0000-4000-8000-000000000003")
  }

  @Test(arguments: ["", "0", "forged", "foreign"])
  func `who shows a wrong token gets a name of no one else`(_ kind: String) async throws {
    let stage = try SiteStage()
    let good = stage.site.tokens.make(owner: "anna", lifetime: .seconds(60))
    let foreign = try SiteStage(key: 2).site.tokens.make(owner: "anna", lifetime: .seconds(60))
    let text = ["forged": good.replacing(30), "foreign": foreign][kind] ?? kind
    #expect(try await stage.renew(cookie: "proscenium=\(text)").owner != "anna")
  }

  @Test func `a program names its users by what it knows of a request`() async throws {
    let stage = try SiteStage { $0.identifyUser = { $0["x-user"] } }
    let text = stage.site.tokens.make(owner: "anna", lifetime: .seconds(60))
    let longest = String(repeating: "x", count: SceneSession.ownerSizeLimit)
    let wanted = [("bert", 204), (longest, 204), (longest + "x", 401), ("", 401), (nil, 401)]
    for (name, status) in wanted as [(String?, Int)] {
      var request = SiteStage.request("POST", "/renew", cookie: "proscenium=\(text)")
      if let name { request.headers.append(LiveRequest.Header("X-User", name)) }
      let response = await stage.site.respond(to: request)
      #expect(response.status == status)
      #expect(
        try response.token.map { try stage.site.tokens.read($0).owner }
          == (status == 204 ? name : nil))
    }
  }

  // MARK: - The program's own paths

  @Test func `the program answers what is not the host's`() async throws {
    let asked = Guarded<[String]>([])
    let stage = try SiteStage {
      $0.respond = { request in
        asked.withLock { $0.append("\(request.method) \(request.path) \(request.form.name)") }
        return request.path == "/mine" ? LiveResponse(status: 201, "made") : nil
      }
    }
    let requests = [
      ("GET", "/mine", 201), ("POST", "/mine", 201), ("GET", "/nothing", 404), ("GET", "/", 200),
      ("GET", Self.session, 200), ("POST", "/", 405), ("GET", "/line", 401),
      ("POST", "/renew", 204),
      ("GET", "/live.js", 200), ("GET", "/live.css", 200), ("GET", "/s/1", 404),
    ]
    for (method, path, status) in requests {
      #expect(await stage.site.respond(to: SiteStage.request(method, path)).status == status)
    }
    #expect(
      asked.withLock { $0 } == [
        "GET /mine form", "POST /mine form", "GET /nothing form", "GET /s/1 form",
      ])
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "get", ""])
  func `a page of another site changes nothing`(_ method: String) async throws {
    let asked = Guarded(0)
    let stage = try SiteStage {
      $0.respond = { _ in
        asked.withLock { $0 += 1 }
        return LiveResponse()
      }
      $0.identifyUser = { _ in
        asked.withLock { $0 += 1 }
        return "anna"
      }
    }
    for origin in ["http://example.org", "null", nil, "http://localhost:81"] {
      for path in ["/mine", "/renew", "/", "/line"] {
        let response = await stage.site.respond(
          to: SiteStage.request(method, path, origin: origin))
        #expect(response.status == 403)
        #expect(response.cookies.isEmpty)
      }
    }
    #expect(asked.withLock { $0 } == 0)
    let own = await stage.site.respond(to: SiteStage.request(method, "/mine"))
    #expect(own.status == 200)
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func `the fields of a form are read from the body`() {
    var request = SiteStage.request("POST", "/mine")
    request.body = Array("name=Anna+B&x=%3D".utf8)
    #expect(request.form == PageInput("form", ["name": "Anna B", "x": "="]))
    request.body = Array("%".utf8)
    #expect(request.form == PageInput("form"))
  }

  @Test func `a token for one session is renewed for that session`() async throws {
    let stage = try SiteStage()
    let session = SessionIdentifier(high: 1, low: 2)
    let text = stage.site.tokens.make(owner: "anna", session: session, lifetime: .seconds(60))
    #expect(try await stage.renew(cookie: "proscenium=\(text)").session == session)
  }
}

extension String {
  /// The text with another digit at a place.
  fileprivate func replacing(_ place: Int) -> String {
    var digits = Array(utf8)
    digits[place] = digits[place] == 0x30 ? 0x31 : 0x30
    return String(decoding: digits, as: UTF8.self)
  }
}
