// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumDashboard

@Suite(.timeLimit(.minutes(10))) struct PageStreamTests {
  private static let containers = ["counts", "charts", "scenes", "events"]

  @Test func `a page gets everything, then what has changed, then nothing`() async throws {
    try await DashboardStage.run { stage in
      var page = try await PageReader(stage.client)
      await stage.tick()
      let first = try await page.update()
      #expect(first.map { Set($0.keys) } == Set(Self.containers))
      _ = try await stage.application.open("Ada")
      await stage.tick()
      let second = try await page.update()
      #expect(second.map { Set($0.keys) } == ["counts", "scenes"])
      #expect(second?["scenes"]?.contains("<h4>Ada</h4>") == true)
      await stage.tick()
      #expect(try await page.update() == [:])
    }
  }

  @Test func `a page that opens while others are open is given everything at once`() async throws {
    try await DashboardStage.run { stage in
      var first = try await PageReader(stage.client)
      await stage.tick()
      _ = try await first.update()
      var second = try await PageReader(stage.client)
      #expect(try await second.update().map { Set($0.keys) } == Set(Self.containers))
    }
  }

  @Test func `one page too many is told so, and has a place when another one leaves`() async throws
  {
    var settings = DashboardSettings()
    settings.pageLimit = 2
    try await DashboardStage.run(settings) { stage in
      let first = try await PageReader(stage.client)
      let second = try await PageReader(stage.client)
      let refused = try await stage.client.send("GET", "/updates")
      #expect(refused.status == 503)
      #expect(refused.code == "tooManyPages")
      #expect(refused.message?.contains("2") == true)
      try first.close()
      // That a page has left is noticed when it is written to.
      var third = try await PageReader(stage.client)
      while third.status == 503 {
        await stage.tick()
        third = try await PageReader(stage.client)
      }
      #expect(third.status == 200)
      #expect(second.status == 200)
    }
  }

  @Test func `the charts are those of the program`() async throws {
    let chart = DashboardFragment(id: "rate", html: "<svg role=\"img\"></svg>")
    try await DashboardStage.run(charts: { [chart] }) { stage in
      let update = try await stage.firstUpdate()
      #expect(update["charts"] == "<div id=\"db-chart-rate\"><svg role=\"img\"></svg></div>")
    }
  }

  @Test func `a slow page is given the newest of each fragment alone`() async throws {
    let hub = PageHub(limit: 1)
    var page = try #require(hub.open()).makeAsyncIterator()
    #expect(await Self.text(&page) == "retry: 2000\n\n")
    hub.send([DashboardFragment(id: "a", html: "1"), DashboardFragment(id: "b", html: "1")])
    hub.send([DashboardFragment(id: "a", html: "2"), DashboardFragment(id: "b", html: "1")])
    #expect(
      await Self.text(&page)
        == "event: fragment\ndata: a\ndata: 2\n\nevent: fragment\ndata: b\ndata: 1\n\n")
    hub.send([DashboardFragment(id: "a", html: "2"), DashboardFragment(id: "b", html: "1")])
    #expect(await Self.text(&page) == ":\n\n")
    hub.end()
    #expect(await Self.text(&page) == nil)
  }

  private static func text(_ page: inout PageStream.Iterator) async -> String? {
    await page.nextBuffer(suggested: 1 << 16).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `lines of a fragment are lines of its event, whatever ends them`() {
    let fragment = DashboardFragment(id: "a", html: "<p>\nevent: b\r\rdata: c\r\n\n</p>")
    #expect(
      String(decoding: PageStream.Iterator.bytes([fragment]), as: UTF8.self)
        == "event: fragment\ndata: a\ndata: <p>\ndata: event: b\ndata: data: c\ndata: </p>\n\n")
  }

  @Test func `a fragment has a plain name, and says so if it is too long`() {
    let fragment = DashboardFragment(id: "a\"><b 1-é", html: String(repeating: " ", count: 262_145))
    #expect(fragment.id == "ab1-")
    #expect(fragment.html.contains("262144"))
  }
}
