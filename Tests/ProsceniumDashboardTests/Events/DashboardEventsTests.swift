// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation
import Testing

@testable import ProsceniumDashboard

@Suite(.timeLimit(.minutes(10))) struct DashboardEventsTests {
  @Test func `events of scenes are listed, the newest first`() async throws {
    let events = DashboardEvents()
    try await DashboardStage.run(events: events) { stage in
      let session = try await stage.application.open("Ada")
      try await stage.application.host.perform(.background(session.id))
      try await stage.application.host.perform(.disconnect(session.id))
      let list = try await stage.firstUpdate()["events"] ?? ""
      let first = list.firstRange(of: "disconnected: by the system")
      let last = list.firstRange(of: "connected, a new session")
      #expect(first != nil && last != nil)
      if let first, let last { #expect(first.lowerBound < last.lowerBound) }
      #expect(list.contains("<code>00000001</code> active → inactive"))
    }
  }

  @Test func `of one second no more is kept than may be, and of all time neither`() async throws {
    let events = DashboardEvents(limit: 3)
    let heard = try await Self.transitions(7)
    for event in heard { events.record(event) }
    #expect(events.newestFirst.count == 3)
    #expect(events.newestFirst == heard.prefix(3).compactMap(EventLine.init).reversed())
    #expect(events.unlisted == 4)
  }

  @Test func `the next second's events take the places of the oldest`() async throws {
    let events = DashboardEvents(limit: 3)
    let first = try await Self.transitions(2)
    let second = try await Self.transitions(2, after: .seconds(5))
    for event in first + second { events.record(event) }
    let lines = (first + second).suffix(3).compactMap(EventLine.init)
    #expect(events.newestFirst == lines.reversed())
    #expect(events.unlisted == 0)
  }

  @Test func `what is not listed is counted`() async throws {
    let events = DashboardEvents()
    let heard = try await Self.events(.zero) { session, application in
      try await application.host.perform(.background(session.id))
    }
    for event in heard { events.record(event) }
    #expect(events.unlisted == heard.filter { EventLine($0) == nil }.count)
    #expect(events.unlisted > 0)
  }

  /// Transitions of one scene, by a clock that is stopped.
  private static func transitions(
    _ count: Int, after time: Duration = .zero
  ) async throws -> [LifecycleEvent] {
    let heard = try await events(time) { session, application in
      for _ in 0..<count {
        try await application.host.perform(.background(session.id))
        try await application.host.perform(.open(session.id))
      }
    }
    return Array(
      heard.filter { event in
        if case .transition = event.kind { true } else { false }
      }.prefix(count))
  }

  /// What is heard of a scene while something is done with it.
  private static func events(
    _ time: Duration,
    _ work: @escaping @Sendable (SceneSession, Application) async throws -> Void
  ) async throws -> [LifecycleEvent] {
    let clock = ManualClock()
    var settings = ApplicationSettings.numbered
    settings.clock = clock
    let application = Application(
      manifest: SceneManifest([SceneConfiguration("Main") { TitledDelegate() }]),
      settings: settings, log: .silent)
    clock.advance(by: time)
    let stream = application.lifecycleEvents()
    try await withThrowingTaskGroup { group in
      group.addTask { try await application.run() }
      try await work(try await application.open("Ada"), application)
      group.cancelAll()
      try await group.waitForAll()
    }
    return await stream.reduce(into: []) { $0.append($1) }
  }
}
