// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// What observers hear.
@Suite struct LifecycleEventTests {
  @Test func `a session's life is told edge by edge`() async throws {
    let stage = Stage(capturing: "draft")
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      try await application.host.perform(.open(session.id))
      try await application.host.perform(.interrupt(session.id))
      try await application.host.perform(.close(session.id))
    }
    #expect(
      await events.lines == [
        "S1 connected, new", "S1 U→B", "S1 B→I", "S1 I→A", "S1 A→I", "S1 I→B",
        "S1 captured, changed", "S1 B→U", "S1 disconnected: system", "S1 connected", "S1 U→B",
        "S1 B→I", "S1 I→A", "S1 A→I", "S1 I→U",
        "S1 disconnected: \(Self.standard)", "S1 discarded: \(Self.standard)",
      ])
  }

  private static let standard =
    "dismissed(Proscenium.SceneDestructionReason.standard)"

  @Test func `a capture tells whether the state differs`() async throws {
    let stage = Stage(capturing: "draft")
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      try await application.requestSceneSessionRefresh(session.id)
    }
    #expect(
      await events.lines.filter { $0.contains("captured") } == [
        "S1 captured, changed", "S1 captured",
      ])
  }

  @Test func `the end of the application is a reason of its own`() async throws {
    let stage = Stage()
    let events = stage.application.lifecycleEvents()
    try await stage.play { try await $0.host.newSession() }
    #expect(await events.lines.last == "S1 disconnected: termination")
  }

  @Test func `an observer is told of its topics alone`() async throws {
    let (seen, all) = (CallLog(), CallLog())
    let stage = Stage(capturing: "draft") { settings in
      settings.observedTopics = [.lives, .captures]
      settings.observer = { event in seen.append("\(event.kind)") }
      settings.otherObservers = [LifecycleObserver { event in all.append("\(event.kind)") }]
    }
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
    }
    #expect(seen.lines == ["connected(isNew: true)", "captured(isChanged: true)", Self.gone])
    #expect(all.lines.count > seen.lines.count)
    #expect(all.lines.filter { seen.lines.contains($0) } == seen.lines)
  }

  private static let gone = "disconnected(Proscenium.LifecycleEvent.Reason.system)"

  @Test func `a stream hears what no observer wants`() async throws {
    let stage = Stage { settings in
      settings.observedTopics = []
      settings.observer = { _ in Issue.record("no topic was asked for") }
    }
    let events = stage.application.lifecycleEvents()
    try await stage.play { try await $0.host.newSession() }
    #expect(await events.lines.prefix(3) == ["S1 connected, new", "S1 U→B", "S1 B→I"])
  }

  @Test func `a listener that is behind loses the oldest`() async throws {
    let stage = Stage()
    let newest = stage.application.lifecycleEvents(limit: 2)
    let one = stage.application.lifecycleEvents(limit: 0)
    let all = stage.application.lifecycleEvents()
    try await stage.play { try await $0.host.newSession() }
    let times = await all.reduce(into: []) { $0.append($1.time) }
    #expect(times.count > 2)
    #expect(await newest.reduce(into: []) { $0.append($1.time) } == times.suffix(2))
    #expect(await one.reduce(into: []) { $0.append($1.time) } == times.suffix(1))
  }

  @Test func `a listener that has gone is forgotten, and others go on`() async throws {
    let stage = Stage()
    let all = stage.application.lifecycleEvents()
    try await stage.play { application in
      let short = application.lifecycleEvents()
      let session = try await application.host.newSession()
      for await event in short where event.line == "S1 U→B" { break }
      try await application.host.perform(.interrupt(session.id))
    }
    #expect(await all.lines.prefix(5).last == "S1 A→I")
  }

  @Test func `a listener hears what happens from its beginning on`() async throws {
    let stage = Stage()
    let log = CallLog()
    try await stage.play { application in
      let session = try await application.host.newSession()
      let late = application.lifecycleEvents()
      try await application.host.perform(.interrupt(session.id))
      for await event in late {
        guard let line = event.line else { continue }
        log.append(line)
        break
      }
    }
    #expect(log.lines == ["S1 A→I"])
  }
}
