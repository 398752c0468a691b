// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation
import Testing

@testable import Proscenium

/// What storms have found, each in its smallest form.
@Suite struct StormFindingTests {
  /// A delegate that hands its messages on and obeys one of them.
  final class Messenger: SceneDelegate {
    let received: AsyncStream<String>.Continuation
    let obey: @Sendable (Application) -> Void

    init(
      _ received: AsyncStream<String>.Continuation,
      _ obey: @escaping @Sendable (Application) -> Void
    ) {
      self.received = received
      self.obey = obey
    }

    func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
      if message.string == "obey" { obey(scene.application) }
      received.yield(message.string)
    }
  }

  /// An application delegate that cannot configure session 2.
  final class Misconfiguring: ConfiguringApplicationDelegate {
    func application(
      _ application: isolated Application, configurationForConnecting session: SceneSession,
      options: Scene.ConnectionOptions
    ) -> SceneConfiguration {
      session.id.number == 2
        ? SceneConfiguration(name: nil, sessionRole: .windowExternalDisplay)
        : session.configuration
    }
  }

  let store = InMemorySessionStore()
  let messages: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() {
    (messages, continuation) = AsyncStream.makeStream()
  }

  private func configuration(
    _ obey: @escaping @Sendable (Application) -> Void = { _ in }
  ) -> SceneConfiguration {
    let continuation = continuation
    return SceneConfiguration("Messenger") { Messenger(continuation, obey) }
  }

  private var settings: ApplicationSettings {
    var settings = ApplicationSettings.counted
    settings.shards = 1
    settings.foregroundCapacity = 1
    return settings
  }

  @Test func `a message wakes the shard of an archived session`() async throws {
    let application = Application(
      manifest: [configuration()], store: store, settings: settings, log: .silent)
    try await application.whileRunning {
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      // No waiting caller helps: the shard's own task has to be woken, each time.
      try application.send("first", to: session.id)
      var received = messages.makeAsyncIterator()
      let first = await received.next()
      #expect(first == "first")
      try application.send("second", to: session.id)
      let second = await received.next()
      #expect(second == "second")
    }
  }

  @Test func `an application whose scenes are idle ends`() async throws {
    let application = Application(
      manifest: [configuration()], store: store, settings: settings, log: .silent)
    try await application.whileRunning {
      try await application.host.newSession()
      try await application.host.newSession()
    }
    #expect(application.connectedSceneCount == 0)
  }

  @Test func `a session that is opened and destroyed in one pass leaves no row`() async throws {
    let application = Application(
      manifest: [
        configuration { application in
          application.host.submit(.newSession())
          application.submit(.destroy(.numbered(2)))
        }
      ], store: store, settings: settings, log: .silent)
    try await application.whileRunning {
      let session = try await application.host.newSession()
      try application.send("obey", to: session.id)
      await application.settle()
      #expect(Array(application.openSessions) == [session])
      #expect(store.sessions.map(\.persistentIdentifier) == [session.id])
    }
  }

  @Test func `an activity for a session that never opened is reported as lost`() async throws {
    let configuration = configuration { application in
      application.host.submit(.newSession())
      application.host.submit(.newSession())
      // Session 3 took the place of session 2, which now takes it back: a hand-over.
      let request = SceneSessionActivationRequest(
        session: .numbered(2), userActivity: .numbered(7))
      application.submit(.activate(request))
    }
    let application = Application(
      manifest: [configuration], store: store, settings: settings, log: .silent
    ) { Misconfiguring() }
    let events = application.lifecycleEvents()
    try await application.whileRunning {
      let session = try await application.host.newSession()
      try application.send("obey", to: session.id)
      await application.settle()
    }
    #expect(await Losses(events).activities == 1)
  }

  @Test func `a session without a scene has no place`() {
    var ledger = SessionLedger(rules: .init(foregroundCapacity: 1, shardBits: 0))
    let sessions = (0..<3).map { ledger.open(role: 0, group: nil, spread: UInt64($0)) }
    _ = ledger.activate(sessions[0], requester: nil, becomesActive: true)
    let opening = ledger.activate(sessions[1], requester: nil, becomesActive: true)
    // The victim gets its place back, and then its restoration turns out to have taken too long.
    let victimLeaves = ledger.fail(
      sessions[1], decisions: opening.decisions, partner: opening.partner,
      isVictimThere: true)
    #expect(!victimLeaves)
    ledger.disconnect(sessions[0])
    let next = ledger.activate(sessions[2], requester: nil, becomesActive: true)
    #expect(next.partner?.kind == .leaver)
  }

  @Test func `the place of a session that never opened is free when all have left it`() {
    var ledger = SessionLedger(rules: .init(foregroundCapacity: 1, shardBits: 0))
    let sessions = (0..<3).map { ledger.open(role: 0, group: nil, spread: UInt64($0)) }
    let (first, failing, third) = (sessions[0], sessions[1], sessions[2])
    _ = ledger.activate(first, requester: nil, becomesActive: true)
    let opening = ledger.activate(failing, requester: nil, becomesActive: true)
    _ = ledger.activate(third, requester: nil, becomesActive: true)
    let again = ledger.activate(failing, requester: nil, becomesActive: true)
    #expect(again.partner?.handle == third)
    let victimLeaves = ledger.fail(
      failing, decisions: opening.decisions, partner: opening.partner,
      isVictimThere: true)
    #expect(victimLeaves)
    // The third one still has to go, in the lane of the one that failed.
    let back = ledger.activate(first, requester: nil, becomesActive: true)
    #expect(back.partner?.kind == .leaver)
    #expect(back.partner?.handle == failing)
  }
}
