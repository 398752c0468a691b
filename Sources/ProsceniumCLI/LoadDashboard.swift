// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumDashboard
import ProsceniumLoad
import ProsceniumPrimitives

/// The live page over a load test.
final class LoadDashboard: Sendable {
  /// The charts of the page, which are given what is measured.
  let charts: LoadCharts

  private let events = DashboardEvents()
  private let token: DashboardToken
  /// The port of the first launch is that of the others as well.
  private let port: Guarded<UInt16>
  private let isAnnounced = Guarded(false)
  private let say: @Sendable (String) -> Void
  private let title: String

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - scenario: What is run.
  ///   - port: The port, 0 for any that is free.
  ///   - say: Is given the lines that say where the page is, and what its buttons need.
  init(_ scenario: LoadScenario, port: UInt16, say: @escaping @Sendable (String) -> Void) {
    charts = LoadCharts(scenario)
    title = "Proscenium: \(scenario.name)"
    self.port = Guarded(port)
    self.say = say
    var random = SystemRandomNumberGenerator()
    token = DashboardToken(using: &random)
  }

  /// Has the page shown while the load runs.
  var companion: LoadCompanion {
    LoadCompanion(see: { [events] in events.record($0) }, accompany: serve)
  }

  private func serve(
    _ application: Application, isReady: @escaping @Sendable () -> Void
  ) async throws {
    var settings = DashboardSettings()
    settings.port = port.withLock { $0 }
    settings.token = token
    settings.title = title
    settings.additionalStyle = LoadCharts.style
    let server = DashboardServer(
      of: application, clock: ContinuousClock(), settings: settings, events: events
    ) { [charts] in
      charts.drawn.map { DashboardFragment(id: $0.id, html: $0.html) }
    }
    try await withThrowingTaskGroup { group in
      // While its address is waited for; it ends with the task.
      group.addTask { try await server.run() }
      announce(try await server.url)
      isReady()
      try await group.waitForAll()
    }
  }

  /// Says where the page is, once.
  private func announce(_ url: String) {
    if let found = URL(string: url)?.port.flatMap({ UInt16(exactly: $0) }) {
      port.withLock { $0 = found }
    }
    let wasAnnounced = isAnnounced.withLock { isAnnounced in
      defer { isAnnounced = true }
      return isAnnounced
    }
    if !wasAnnounced { say("dashboard: \(url)\ntoken for its buttons: \(token.text)\n\n") }
  }
}

/// The program's metrics as a text on 127.0.0.1, for Prometheus and everybody who reads its format.
struct MetricsPage: Sendable {
  /// What is shown.
  let registry = MetricsRegistry()

  private let port: UInt16
  private let say: @Sendable (String) -> Void

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - port: The port, 0 for any that is free.
  ///   - say: Is given the line that says where the page is.
  init(port: UInt16, say: @escaping @Sendable (String) -> Void) {
    self.port = port
    self.say = say
  }

  /// Serves the page while something runs.
  ///
  /// - Throws: Why the page cannot be served, before anything runs; or what `body` throws.
  func serve<Success: Sendable>(
    while body: @Sendable () async throws -> Success
  ) async throws -> Success {
    let server = TextServer(
      port: port, path: "/metrics", type: "text/plain; version=0.0.4"
    ) { [registry] in registry.text }
    return try await withCompany { [say] isReady in
      try await server.run { url in
        say("metrics: \(url)\n\n")
        isReady()
      }
    } _: {
      try await body()
    }
  }
}
