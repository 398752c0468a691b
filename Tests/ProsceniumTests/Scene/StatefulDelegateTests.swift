// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// A delegate whose state is fields.
@Suite(.timeLimit(.minutes(10))) struct StatefulDelegateTests {
  /// Keeps a text, and says what it is called for.
  private final class Pad: StatefulSceneDelegate {
    private let log: CallLog
    private var text = ""

    init(_ log: CallLog) {
      self.log = log
    }

    func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
      log.append("captured \"\(text)\"")
      if !text.isEmpty { state.write("text", text) }
    }

    func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
      text = state.string("text") ?? ""
      log.append("restored \"\(text)\" of \(state.activityType)")
    }

    func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
      text = message.string
      scene.setNeedsCapture()
    }

    func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
      log.append("asked for an activity")
      return nil
    }

    func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
      log.append("given an activity")
    }
  }

  /// Keeps the same as an activity.
  private final class OlderPad: SceneDelegate {
    private let log: CallLog

    init(_ log: CallLog) {
      self.log = log
    }

    func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
      UserActivity("older", userInfo: ["text": "from an activity"])
    }

    func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
      log.append("older: \(activity.activityType) \(activity.userInfo["text"]?.string ?? "")")
    }
  }

  private let log = CallLog()
  private let session = SessionIdentifier.number(1)
  private let store = InMemorySessionStore()

  private func stage(
    isOlder: Bool = false, store: (any SessionStore)? = nil, activityTypes: [String]? = nil,
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    let configuration =
      isOlder
      ? SceneConfiguration("Main") { [log] in OlderPad(log) }
      : SceneConfiguration("Main") { [log] in Pad(log) }
    return Stage(
      log: log, store: store ?? self.store, manifest: [configuration],
      activityTypes: activityTypes, settings: change)
  }

  private func disconnect(_ application: Application) async throws {
    try await application.host.perform(.background(session))
    try await application.host.perform(.disconnect(session))
  }

  @Test func `fields are captured, and given back when the scene connects again`() async throws {
    try await stage().application.whileRunning { application in
      try await application.host.newSession()
      try application.send("milk", to: session)
      try await disconnect(application)
      #expect(log.take() == ["captured \"milk\""])
      let saved = try await application.savedState(of: session)
      #expect(saved.activity == UserActivity("state", userInfo: ["text": "milk"]))
      try await application.host.perform(.open(session))
      #expect(log.take() == ["restored \"milk\" of state"])
    }
  }

  @Test func `a scene without a state restores nothing, and no field clears what was saved`()
    async throws
  {
    try await stage().application.whileRunning { application in
      try await application.host.newSession()
      try application.send("milk", to: session)
      try await disconnect(application)
      try await application.host.perform(.open(session))
      try application.send("", to: session)
      try await disconnect(application)
      _ = log.take()
      #expect(try await application.savedState(of: session).isEmpty)
      try await application.host.perform(.open(session))
      #expect(log.take() == [])
    }
  }

  @Test func `a capture says whether the state is another one`() async throws {
    let captures = Guarded<[Bool]>([])
    let stage = stage { settings in
      settings.observedTopics = .captures
      settings.observer = { event in
        if case .captured(let isChanged) = event.kind { captures.withLock { $0.append(isChanged) } }
      }
    }
    try await stage.application.whileRunning { application in
      try await application.host.newSession()
      for text in ["milk", "milk", "eggs"] {
        try application.send(SceneMessage(text), to: session)
        try await disconnect(application)
        try await application.host.perform(.open(session))
      }
      #expect(captures.withLock { $0 } == [true, false, true])
    }
  }

  @Test(arguments: [false, true])
  func `fields and activities are one and the same state`(isOlderFirst: Bool) async throws {
    try await stage(isOlder: isOlderFirst).application.whileRunning { application in
      try await application.host.newSession()
      try application.send("milk", to: session)
      try await disconnect(application)
    }
    _ = log.take()
    try await stage(isOlder: !isOlderFirst).application.whileRunning { application in
      try await application.host.perform(.open(session))
      #expect(
        log.take() == [
          isOlderFirst ? "restored \"from an activity\" of older" : "older: state milk"
        ])
    }
  }

  @Test func `an activity that was set is read by its fields`() async throws {
    try await stage().application.whileRunning { application in
      try await application.host.newSession()
      try await disconnect(application)
      try await application.updateSession(session) { session in
        session.stateRestorationActivity = UserActivity("set", userInfo: ["text": "eggs"])
      }
      _ = log.take()
      try await application.host.perform(.open(session))
      #expect(log.take() == ["restored \"eggs\" of set"])
    }
  }

  @Test func `fields of a type that is not declared stay in the process`() async throws {
    try await stage(activityTypes: ["other"]).application.whileRunning { application in
      try await application.host.newSession()
      try application.send("milk", to: session)
      try await application.host.perform(.background(session))
      #expect(application.session(session)?.stateRestorationActivity?.activityType == "state")
    }
    _ = log.take()
    try await stage(activityTypes: ["other"]).application.whileRunning { application in
      try await application.host.perform(.open(session))
      #expect(log.take() == [])
    }
  }

  @Test func `fields that are too large are refused, and the last state stays`() async throws {
    let stage = stage { $0.savedStateLimits = SavedStateLimits(byteCount: 100) }
    try await stage.application.whileRunning { application in
      try await application.host.newSession()
      try application.send("milk", to: session)
      try await disconnect(application)
      try await application.host.perform(.open(session))
      try application.send(SceneMessage(String(repeating: "x", count: 200)), to: session)
      try await disconnect(application)
      _ = log.take()
      try await application.host.perform(.open(session))
      #expect(log.take() == ["restored \"milk\" of state"])
    }
  }
}
