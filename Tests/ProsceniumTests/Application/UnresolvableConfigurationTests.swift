// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// A session whose saved configuration means nothing any more is discarded, and a new one is opened
/// if one is needed (R-CFG-6).
@Suite(.timeLimit(.minutes(10))) struct UnresolvableConfigurationTests {
  private static let one = SessionIdentifier.number(1)

  /// A session whose configuration and delegate class are gone.
  private static let gone = StoredSession(
    persistentIdentifier: one, configurationName: "Gone", delegateClass: "GoneDelegate",
    group: "ann", stateRestorationActivity: .titled("draft"))

  private static let choosing = ApplicationScript(choose: { _, session, _ in session.configuration }
  )

  private static func stage(
    _ stored: [StoredSession] = [gone], delegate: ApplicationScript? = choosing,
    isSingle: Bool = false, settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    Stage(store: InMemorySessionStore(stored), delegate: delegate, isSingle: isSingle) {
      $0.identifiers = .counted(from: 10)
      change(&$0)
    }
  }

  // MARK: - A new session is needed

  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var launch = ApplicationSettings.Launch.background
    var title: String?
    var act: @Sendable (Application) async throws -> SceneSession? = { application in
      await application.settle()
      return nil
    }

    var calls: [String] {
      [
        "app.didDiscard(S1)", "app.configuration(S10\(title.map { ", \($0)" } ?? ""))",
        "S10.willConnect\(title.map { "(\($0))" } ?? "") U", "S10.willEnterForeground B",
        "S10.didBecomeActive A",
      ]
    }
  }

  static let ways = [
    Way(
      testDescription: "open",
      act: { application in
        try await application.host.perform(.open(one))
        return nil
      }),
    Way(
      testDescription: "activation", title: "letter",
      act: {
        try await $0.activateSceneSession(for: .init(session: one, userActivity: .titled("letter")))
      }),
    Way(
      testDescription: "event", title: "letter",
      act: { try await $0.deliver(.activity(.titled("letter"))) }),
    Way(
      testDescription: "event that no caller awaits", title: "letter",
      act: { application in
        application.submit(.deliver(.activity(.titled("letter"))))
        await application.settle()
        return nil
      }),
    Way(testDescription: "icon", launch: .icon),
    Way(
      testDescription: "launch for an event", launch: .event(.activity(.titled("letter"))),
      title: "letter"),
  ]

  @Test(arguments: ways)
  func `it is discarded before the new one is configured`(way: Way) async throws {
    let stage = Self.stage { $0.launch = way.launch }
    try await stage.play { application in
      let session = try await way.act(application)
      await application.settle()
      #expect(stage.log.take().dropFirst(2) == way.calls[...])
      #expect(session.map { $0.id == .number(10) } ?? true)
      #expect(application.openSessions.map(\.id.label) == ["S10"])
      #expect(application.disagreements == [])
    }
  }

  @Test(arguments: ways)
  func `it can be the only session that is allowed`(way: Way) async throws {
    for isSingle in [false, true] {
      let stage = Self.stage(isSingle: isSingle) {
        $0.launch = way.launch
        $0.sessionQuota = 1
      }
      try await stage.play { application in
        _ = try await way.act(application)
        await application.settle()
        #expect(application.openSessions.map(\.id.label) == ["S10"])
      }
    }
  }

  @Test func `the new session belongs to the group of the old one, and has no state of it`()
    async throws
  {
    let stage = Self.stage(delegate: nil)
    try await stage.play { application in
      let session = try await application.activateSceneSession(for: .init(session: Self.one))
      #expect(session.group == "ann")
      #expect(session.stateRestorationActivity == nil)
    }
  }

  // MARK: - No session is needed

  @Test(arguments: [true, false])
  func `a refresh discards it and returns`(hasDelegate: Bool) async throws {
    let stage = Self.stage(delegate: hasDelegate ? Self.choosing : nil)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      try await application.requestSceneSessionRefresh(Self.one)
      #expect(stage.log.take().dropFirst(2) == (hasDelegate ? ["app.didDiscard(S1)"] : [])[...])
      #expect(application.openSessions.isEmpty)
    }
    #expect(await events.lines == ["S1 discarded: unresolvableConfiguration"])
  }

  @Test func `so does a refresh that the host fulfils`() async throws {
    let stage = Self.stage { $0.fulfilsRefreshesByHost = true }
    try await stage.play { application in
      async let refresh: Void = application.requestSceneSessionRefresh(Self.one)
      while application.session(Self.one)?.hasPendingRefresh == false { await Task.yield() }
      try await application.host.perform(.fulfilRefreshes)
      try await refresh
      #expect(stage.log.take().dropFirst(2) == ["app.didDiscard(S1)"])
    }
  }

  @Test func `messages, calls and connections are refused, and discard it once`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      let codes = [
        await SceneError.code { () throws(SceneError) in
          try application.send("hello", to: Self.one)
        },
        await SceneError.code { () throws(SceneError) in
          try application.send("hello", to: Self.one)
        },
        await SceneError.code { () throws(SceneError) in
          try await application.call("hello", to: Self.one)
        },
        await SceneError.code { () throws(SceneError) in
          try await application.host.perform(.connect(Self.one))
        },
      ]
      #expect(
        codes == [
          .unresolvableConfiguration, .sessionNotOpen, .sessionNotOpen, .sessionNotOpen,
        ])
      await application.settle()
      #expect(stage.log.take().dropFirst(2) == ["app.didDiscard(S1)"])
    }
  }

  @Test(arguments: ["send", "call", "connect"])
  func `each of them discards it by itself`(way: String) async throws {
    let stage = Self.stage()
    try await stage.play { application in
      let code = await SceneError.code { () throws(SceneError) in
        switch way {
        case "send": try application.send("hello", to: Self.one)
        case "call": _ = try await application.call("hello", to: Self.one)
        default: try await application.host.perform(.connect(Self.one))
        }
      }
      #expect(code == .unresolvableConfiguration)
      await application.settle()
      #expect(stage.log.take().dropFirst(2) == ["app.didDiscard(S1)"])
      #expect(application.openSessions.isEmpty)
    }
  }

  @Test func `a launch that connects all connects the others`() async throws {
    let stage = Self.stage([Self.gone, .number(2)]) { $0.launch = .connectAll }
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      await application.settle()
      #expect(stage.log.take().dropFirst(2).sorted() == ["S2.willConnect U", "app.didDiscard(S1)"])
    }
    #expect(
      await events.lines.filter { $0.hasPrefix("S1 failed") } == [
        "S1 failed: unresolvableConfiguration"
      ])
  }

  @Test func `until it is to connect, it is a session like any other`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      #expect(application.openSessions.map(\.id.label) == ["S1"])
      try await application.host.perform(.background(Self.one))
      try await application.updateSession(Self.one) { $0.title = "Letters" }
      try await application.host.perform(.close(Self.one))
      #expect(stage.log.take().dropFirst(2) == ["app.didDiscard(S1)"])
    }
  }

  // MARK: - What can be resolved

  @Test func `a delegate class that is still known is used (R-CFG-6, 2)`() async throws {
    let renamed = StoredSession(
      persistentIdentifier: Self.one, configurationName: "Gone", delegateClass: "ScriptedDelegate")
    let stage = Self.stage([renamed])
    try await stage.play { application in
      let session = try await application.activateSceneSession(for: .init(session: Self.one))
      #expect(session.configuration.name == "Gone")
      #expect(
        stage.log.take().dropFirst(2) == [
          "S1.willConnect U", "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }
}
