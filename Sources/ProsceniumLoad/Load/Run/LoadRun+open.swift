// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation

// The population, before and after the load.
extension LoadRun {
  /// How many sessions are opened, or asked, at the same time.
  private static let callers = 128

  /// Opens the sessions, each with its state in the store and its scene in the background.
  func open(_ application: Application) async throws -> [SessionIdentifier] {
    let done = GuardedCell(0)
    let scenario = scenario
    return try await withThrowingTaskGroup(of: [(Int, SessionIdentifier)].self) { group in
      let callers = min(Self.callers, scenario.sessions)
      for caller in 0..<callers {
        // Each waits for its own sessions: many together share the commits.
        group.addTask {
          var opened: [(Int, SessionIdentifier)] = []
          for place in stride(from: caller, to: scenario.sessions, by: callers) {
            if test.isInterrupted() { throw CancellationError() }
            // Nothing is discarded yet.
            guard let session = try await Self.make(place, 0, scenario, application) else {
              throw CancellationError()
            }
            opened.append((place, session))
            let count = done.withLock {
              $0 += 1; return $0
            }
            if count % 1_000 == 0 { test.show(.step(.opening(count, scenario.sessions))) }
          }
          return opened
        }
      }
      let unset = SessionIdentifier(high: 0, low: 0)
      return try await group.reduce(
        into: [SessionIdentifier](repeating: unset, count: scenario.sessions)
      ) { sessions, opened in
        for (place, session) in opened { sessions[place] = session }
      }
    }
  }

  /// Makes the session of a place, and sends it to the background.
  ///
  /// - Returns: The session, or nil if it was discarded meanwhile.
  static func make(
    _ place: Int, _ generation: Int, _ scenario: LoadScenario, _ application: Application
  ) async throws(SceneError) -> SessionIdentifier? {
    var random = SplitMix64(seed: scenario.seed, stream: 1 << 32 + place)
    let setup = LoadSetup(
      place: place, generation: generation, size: scenario.stateSize.draw(&random),
      isRouted: !scenario.mix.isMessagesAlone)
    do throws(SceneError) {
      let session = try await application.requestSceneSessionActivation(
        nil, userActivity: setup.activity)
      try await application.host.background(session)
      return session.id
    } catch  where error.code == .lost || error.code.uiKitCode == 1 {
      return nil
    }
  }

  /// Asks every session what it remembers, and notes what is not as it was sent.
  func verify(
    _ tenants: LoadTenants, _ application: Application, _ kind: LoadViolation.Kind
  ) async throws {
    test.show(.step(.verifying(0, tenants.count)))
    await application.settle()
    let done = GuardedCell(0)
    try await withThrowingTaskGroup { group in
      for caller in 0..<Self.callers {
        // Several, so that the processors are not idle between one's calls.
        group.addTask {
          for place in stride(from: caller, to: tenants.count, by: Self.callers) {
            await check(place, tenants, application, kind)
            let count = done.withLock {
              $0 += 1; return $0
            }
            if count % 1_000 == 0 { test.show(.step(.verifying(count, tenants.count))) }
          }
        }
      }
      try await group.waitForAll()
    }
    for session in audit.openSessions where application.session(session) == nil {
      audit.note(.notReported, session)
    }
    // An event that is routed can make a session, which is discarded before its scene is there.
    let unknown = audit.unknownDiscardCount - vacancies.lostCount
    if unknown > 0, scenario.mix.isMessagesAlone {
      audit.note(.discardedTwice, nil, count: unknown)
    }
  }

  private func check(
    _ place: Int, _ tenants: LoadTenants, _ application: Application, _ kind: LoadViolation.Kind
  ) async {
    let tenant = tenants[place]
    let expected = senders[place % senders.count].history(place, tenant.generation)
    do throws(SceneError) {
      let reply = try await application.call("?", to: tenant.session)
      if LoadHistory(text: reply.string) != expected { audit.note(kind, tenant.session) }
    } catch {
      audit.fail(error)
      audit.note(kind, tenant.session)
    }
  }
}
