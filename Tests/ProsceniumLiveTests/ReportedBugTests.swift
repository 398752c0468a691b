// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumLive

/// What the library does not do yet; each test says what it is to do.
struct ReportedBugTests {
  // A colon and a mark that belongs to it are one `Character`, which is no colon. U+FF9E is such a
  // mark and the name of a variable, so that what follows is a program.
  @Test(arguments: [
    "javascript:\u{FF9E}=alert(1)", "javascript:\u{FF9F}=1", "data:\u{301}text/html,",
  ])
  func `a link whose colon has a mark leads nowhere`(_ address: String) throws {
    var builder = PageBuilder()
    builder.add(.a, .href(address))
    let html = try builder.finish().get().bytes
    #expect(try PageModel(html).root["href"] == "#")
  }

  @Test func `a token for one session is renewed for that session`() async throws {
    let stage = try SiteStage()
    let session = SessionIdentifier(high: 1, low: 2)
    let text = stage.site.tokens.make(owner: "anna", session: session, lifetime: .seconds(60))
    #expect(try await stage.renew(cookie: "proscenium=\(text)").session == session)
  }

  // Else a client that was told to go keeps its place, as one sends a message every two seconds.
  @Test func `what a client says after its end does not put it off`() {
    var times = ConnectionTimes(now: 0)
    times.becomeLine(0, date: 0, until: 1_000)
    times.close(10)
    times.hear(12)
    let due = times.due(13, date: 13, ConnectionTimes.Limits(request: 20, ping: 25, stall: 30))
    #expect(due == .abort)
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

  // The shell has an element of this id before the page, and `getElementById` finds that one.
  @Test func `a part cannot have an id that the shell has`() {
    var builder = PageBuilder()
    builder.add(.main, id: LivePage.rootID) { $0.add(.p, "a", id: "live-status") }
    let result = builder.finish()
    #expect(throws: PageProblem.self) { try result.get() }
  }

  // `template.innerHTML = "<p id=a></p><tr id=b></tr>"` has no `tr`: the first element decides
  // whether table parts are read, and what may follow. A template of its own for each would do.
  @Test(arguments: [
    ("p", "tr"), ("p", "td"), ("p", "tbody"), ("td", "tr"), ("tr", "col"), ("tr", "caption"),
  ])
  func `a table part is sent so that a browser reads it as one`(_ first: String, _ second: String)
    throws
  {
    func page(_ text: String) throws -> RenderedPage {
      var builder = PageBuilder()
      let (first, second) = (PageTag(rawValue: first) ?? .p, PageTag(rawValue: second) ?? .p)
      builder.add(.main, id: LivePage.rootID) { page in
        page.add(first, id: "a", PageAttribute("title", text))
        page.add(second, id: "b", PageAttribute("title", text))
      }
      return try builder.finish().get()
    }
    let patch = PagePatch(from: try page("old"), to: try page("new")).html
    let elements = try PageReader.nodes(patch).compactMap { node in
      if case .element(let element) = node { element } else { nil }
    }
    let isRead = elements.count == 1 || elements.allSatisfy { $0.tag == "template" }
    #expect(isRead, "\(String(decoding: patch, as: UTF8.self))")
  }
}
