// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumDashboard
import ProsceniumSimulation
import Testing

@Suite(.timeLimit(.minutes(10))) struct DashboardServerTests {
  @Test func `the page comes with its landmarks, and asks for nothing from elsewhere`() async throws
  {
    try await DashboardStage.run { stage in
      let page = try await stage.client.send("GET", "/")
      #expect(page.status == 200)
      #expect(page.headers["content-type"] == "text/html; charset=utf-8")
      for part in ["<main", "<header", "lang=\"en\"", "id=\"db-scenes\"", "role=\"status\""] {
        #expect(page.body.contains(part))
      }
      let style = try await stage.client.send("GET", "/dashboard.css")
      let script = try await stage.client.send("GET", "/dashboard.js")
      #expect(style.body.contains("prefers-color-scheme: dark"))
      #expect(script.body.contains("new EventSource(\"/updates\")"))
      for part in [page.body, style.body, script.body] { #expect(!part.contains("http")) }
    }
  }

  @Test(arguments: ["/", "/dashboard.css", "/dashboard.js", "/nothing"])
  func `every answer keeps browsers from loading, keeping and telling`(_ path: String) async throws
  {
    try await DashboardStage.run { stage in
      let reply = try await stage.client.send("GET", path)
      #expect(reply.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
      #expect(reply.headers["x-content-type-options"] == "nosniff")
      #expect(reply.headers["cache-control"] == "no-store")
      #expect(reply.headers["referrer-policy"] == "no-referrer")
    }
  }

  @Test func `a port that is in use is an error that says so`() async throws {
    try await DashboardStage.run { stage in
      var settings = DashboardSettings()
      settings.port = stage.client.port
      let second = DashboardServer(
        of: stage.application, clock: ManualClock(), settings: settings)
      let error = await #expect(throws: DashboardError.self) { try await second.run() }
      #expect(error?.code == .portInUse)
      #expect(error?.message.contains(String(stage.client.port)) == true)
      let told = await #expect(throws: DashboardError.self) { try await second.url }
      #expect(told == error)
    }
  }

  @Test func `a server does not run twice`() async throws {
    try await DashboardStage.run { stage in
      let error = await #expect(throws: DashboardError.self) { try await stage.server.run() }
      #expect(error?.code == .alreadyRun)
    }
  }

  @Test func `a server ends while pages are open, and their streams with it`() async throws {
    let application = Application(manifest: SceneManifest([]), log: .silent)
    let server = DashboardServer(of: application, clock: ManualClock())
    try await withThrowingTaskGroup { group in
      group.addTask { try await server.run() }
      let client = PageClient(port: try await DashboardStage.port(of: server))
      var page = try await PageReader(client)
      #expect(page.status == 200)
      group.cancelAll()
      #expect(try await page.update() == nil)
      try await group.waitForAll()
    }
    let error = await #expect(throws: DashboardError.self) { try await server.run() }
    #expect(error?.code == .alreadyRun)
  }

  @Test func `a task that waits for the address can be cancelled`() async {
    let application = Application(manifest: SceneManifest([]), log: .silent)
    let server = DashboardServer(of: application, clock: ManualClock())
    let error = await withTaskGroup { group in
      group.addTask { () async -> DashboardError? in
        do throws(DashboardError) {
          _ = try await server.url
          return nil
        } catch { return error }
      }
      group.cancelAll()
      return await group.next() ?? nil
    }
    #expect(error?.code == .serverFailed)
  }
}
