// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import Testing

@testable import ProsceniumDashboard

/// What an update costs with many sessions; `PROSCENIUM_DASHBOARD_SESSIONS` says how many.
@Suite(.timeLimit(.minutes(10))) struct DashboardCostTests {
  private static let sessions =
    ProcessInfo.processInfo.environment["PROSCENIUM_DASHBOARD_SESSIONS"].flatMap { Int($0) }
    ?? 2_000

  @Test func `an update is bounded, however many sessions there are`() async throws {
    let count = Self.sessions
    try await DashboardStage.run { stage in
      let application = stage.application
      for number in 0..<count { _ = try await application.open("Session \(number)") }
      try await application.host.perform(.backgroundAll)
      _ = try await application.host.relievePressure(count: count / 2)
      for session in application.openSessions.prefix(count / 100) {
        try await application.host.perform(.open(session.id))
      }
      let site = DashboardSite(application, nil, .acting, nil, charts: { [] })
      var reader = site.makeReader()
      var times: [Duration] = []
      var fragments: [DashboardFragment] = []
      for _ in 0..<50 {
        times.append(ContinuousClock().measure { fragments = site.fragments(&reader) })
      }
      let bytes = fragments.reduce(0) { $0 + $1.html.utf8.count }
      print(
        "an update with \(count) sessions: first \(times[0]), median \(times.sorted()[25]), "
          + "longest \(times.sorted()[49]), \(bytes) bytes")
      let scenes = fragments.first { $0.id == "scenes" }?.html ?? ""
      #expect(scenes.components(separatedBy: "<article").count - 1 == 60)
      #expect(bytes < 60_000)
      #expect(application.census.active + application.census.background >= count / 2)
      #expect(application.census.disconnected > count / 3)
    }
  }

  @Test func `a flood of events is counted, and little of it kept`() async {
    let events = DashboardEvents()
    let event = await Self.oneEvent()
    let time = ContinuousClock().measure {
      for _ in 0..<100_000 { events.record(event) }
    }
    print("100,000 events of one second: \(time)")
    #expect(events.unlisted == 100_000 - 50)
    #expect(events.newestFirst.count == 50)
  }

  /// A transition as an application reports it.
  private static func oneEvent() async -> LifecycleEvent {
    let application = Application(
      manifest: SceneManifest([SceneConfiguration("Main") { TitledDelegate() }]),
      settings: .numbered, log: .silent)
    let stream = application.lifecycleEvents()
    return await withTaskGroup { group in
      group.addTask { try? await application.run() }
      defer { group.cancelAll() }
      _ = try? await application.open("Ada")
      for await event in stream {
        if case .transition = event.kind { return event }
      }
      preconditionFailure("an activation is a transition")
    }
  }
}
