// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumDashboard
import Testing

/// The code of Docs/DASHBOARD.md, with a real clock.
@Suite(.timeLimit(.minutes(10))) struct DashboardGuideTests {
  @Test func `a program mounts a dashboard next to its application`() async throws {
    let manifest = SceneManifest([SceneConfiguration("Main") { TitledDelegate() }])
    let (printed, source) = AsyncStream.makeStream(of: String.self)
    let print = { @Sendable (text: String) in _ = source.yield(text) }
    try await Self.serve(manifest, print: print) { application in
      _ = try await application.open("Ada")
      var lines: [String] = []
      for await line in printed {
        lines.append(line)
        if lines.count == 2 { break }
      }
      let port = UInt16(lines[0].split(separator: ":")[3].dropLast()) ?? 0
      let client = PageClient(port: port)
      var page = try await PageReader(client)
      let update = try await page.update()
      #expect(update?["scenes"]?.contains("Ada") == true)
      #expect(update?["charts"]?.contains("<p>7</p>") == true)
      #expect(update?["events"]?.contains("connected, a new session") == true)
      try page.close()
      let reply = try await client.send(
        "POST", "/actions/pressure", ["X-Proscenium-Token": String(lines[1].suffix(32))],
        body: "keep=50")
      #expect(reply.code == "accepted")
    }
  }

  private static func serve(
    _ manifest: SceneManifest, print: @escaping @Sendable (String) -> Void,
    _ work: @escaping @Sendable (Application) async throws -> Void
  ) async throws {
    let events = DashboardEvents()
    var settings = ApplicationSettings()
    settings.observer = { event in events.record(event) }

    var random = SystemRandomNumberGenerator()
    let token = DashboardToken(using: &random)
    var page = DashboardSettings()
    page.token = token
    try await Application.withRunning(manifest: manifest, settings: settings) {
      [page] application in
      let server = DashboardServer(
        of: application, clock: ContinuousClock(), settings: page, events: events,
        charts: { [DashboardFragment(id: "lamps", html: "<h3>Lamps</h3><p>7</p>")] })
      try await withThrowingTaskGroup { group in
        group.addTask { try await server.run() }
        print("dashboard: \(try await server.url)")
        print("token for its buttons: \(token.text)")
        try await work(application)
        group.cancelAll()
        try await group.waitForAll()
      }
    }
  }
}
