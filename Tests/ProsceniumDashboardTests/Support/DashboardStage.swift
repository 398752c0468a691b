// SPDX-License-Identifier: Apache-2.0

import Logging
import Proscenium
import ProsceniumDashboard
import ProsceniumPrimitives
import ProsceniumSimulation

/// An application with a dashboard over it, whose updates come when a test says so.
struct DashboardStage: Sendable {
  let application: Application
  let server: DashboardServer
  let clock: ManualClock
  let client: PageClient

  /// Runs an application and its dashboard around a body, and ends both.
  static func run(
    _ settings: DashboardSettings = .acting, scenes: ApplicationSettings = .numbered,
    events: DashboardEvents? = nil, cluster: DashboardCluster? = nil,
    charts: @escaping @Sendable () -> [DashboardFragment] = { [] },
    _ body: @escaping @Sendable (DashboardStage) async throws -> Void
  ) async throws {
    var scenes = scenes
    if let events { scenes.observer = { event in events.record(event) } }
    let manifest = SceneManifest([SceneConfiguration("Main") { TitledDelegate() }])
    let application = Application(manifest: manifest, settings: scenes, log: .silent)
    let clock = ManualClock()
    let server = DashboardServer(
      of: application, clock: clock, settings: settings, events: events, cluster: cluster,
      charts: charts)
    try await withThrowingTaskGroup { group in
      group.addTask { try await application.run() }
      group.addTask { try await server.run() }
      let result: Result<Void, any Error>
      do {
        let stage = DashboardStage(
          application: application, server: server, clock: clock,
          client: PageClient(port: try await port(of: server)))
        result = .success(try await body(stage))
      } catch { result = .failure(error) }
      group.cancelAll()
      try await group.waitForAll()
      try result.get()
    }
  }

  /// The port in a server's address.
  static func port(of server: DashboardServer) async throws -> UInt16 {
    UInt16(try await server.url.split(separator: ":")[2].dropLast()) ?? 0
  }

  /// Makes one update due.
  func tick() async {
    while clock.sleeperCount == 0 { await Task.yield() }
    clock.advance(by: .seconds(1))
  }

  /// Sends an action with a token.
  func act(
    _ action: String, _ body: String, token: String? = DashboardToken.ofTests.text
  ) async throws -> PageReply {
    let fields = token.map { ["X-Proscenium-Token": $0] } ?? [:]
    return try await client.send("POST", "/actions/\(action)", fields, body: body)
  }

  /// The first update of a page that opens now.
  func firstUpdate() async throws -> [String: String] {
    var page = try await PageReader(client)
    await tick()
    let update = try await page.update()
    try page.close()
    return update ?? [:]
  }
}

extension DashboardToken {
  /// A token that all tests know.
  static var ofTests: DashboardToken {
    var random = SplitMix64(seed: 1)
    return DashboardToken(using: &random)
  }
}

extension DashboardSettings {
  /// Settings under which a page with the tests' token may act.
  static var acting: DashboardSettings {
    var settings = DashboardSettings()
    settings.token = .ofTests
    return settings
  }
}

extension ApplicationSettings {
  /// Settings whose sessions are numbered.
  static var numbered: ApplicationSettings {
    var settings = ApplicationSettings()
    settings.identifiers = .counted()
    return settings
  }
}

extension Logger {
  static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
