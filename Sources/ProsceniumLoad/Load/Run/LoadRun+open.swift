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
    let scenario = scenario
    let opened = try await forEachPlace {
      .opening($0, $1)
    } _: { place in
      if test.isInterrupted() { throw CancellationError() }
      // Nothing is discarded yet.
      guard let session = try await Self.make(place, 0, scenario, application) else {
        throw CancellationError()
      }
      return session
    }
    return opened.sorted { $0.place < $1.place }.map(\.result)
  }

  /// Does something for each place, and shows how far it is.
  ///
  /// Several callers do it at the same time: they share commits, and no processor is idle.
  private func forEachPlace<Result: Sendable>(
    _ step: @escaping @Sendable (_ done: Int, _ all: Int) -> LoadTest.Step,
    _ body: @escaping @Sendable (_ place: Int) async throws -> Result
  ) async throws -> [(place: Int, result: Result)] {
    let (done, count) = (GuardedCell(0), scenario.sessions)
    return try await withThrowingTaskGroup(of: [(place: Int, result: Result)].self) { group in
      for caller in 0..<min(Self.callers, count) {
        // Each has every so-many-th place.
        group.addTask {
          var results: [(place: Int, result: Result)] = []
          for place in stride(from: caller, to: count, by: Self.callers) {
            results.append((place, try await body(place)))
            let number = done.withLock {
              $0 += 1; return $0
            }
            if number % 1_000 == 0 { test.show(.step(step(number, count))) }
          }
          return results
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// Makes the session of a place, and sends it to the background.
  ///
  /// - Returns: The session, or nil if it was discarded in between.
  static func make(
    _ place: Int, _ generation: Int, _ scenario: LoadScenario, _ application: Application
  ) async throws(SceneError) -> SessionIdentifier? {
    var random = SplitMix64(seed: scenario.seed, stream: 1 << 32 + place)
    let setup = LoadSetup(
      place: place, generation: generation, size: scenario.stateSize.draw(&random),
      isRouted: !scenario.mix.isMessagesAlone)
    do throws(SceneError) {
      let session = try await application.activateSceneSession(
        for: .init(userActivity: setup.activity))
      try await application.host.perform(.background(session.id))
      return session.id
    } catch  where error.tellsOfDiscard {
      return nil
    }
  }

  /// Asks every session what it remembers, and notes what is not as it was sent.
  func verify(
    _ tenants: LoadTenants, _ application: Application, _ kind: LoadViolation.Kind
  ) async throws {
    test.show(.step(.verifying(0, tenants.count)))
    await application.settle()
    _ = try await forEachPlace {
      .verifying($0, $1)
    } _: { place in
      await check(place, tenants, application, kind)
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

// What happens when half of the time is over.
extension LoadRun {
  /// How long scenes may stay connected over a new limit without one that goes, on any machine.
  private static let squeezeTime = Duration.seconds(10)
  /// What a session that comes back may take, its waiting task included, in bytes.
  private static let sessionLimit = 16_384
  /// What may come and go besides when scenes go, and when they come back, in bytes.
  private static let (noise, tolerance) = (16 << 20, 64 << 20)
  /// How many tasks one group has: it looks through all of them when one ends.
  private static let groupSize = 1_000

  /// Leaves a tenth of the connected scenes, and notes what is kept.
  func squeeze(_ application: Application) async throws {
    let limit = max((scenario.connected ?? scenario.sessions) / 10, 1)
    let (before, connected) = (test.meter.memory(), application.connectedSceneCount)
    application.host.setDisconnectionPolicy(policy(connected: limit))
    var gone = application.pressureReport.disconnectedForPressure
    var end = test.clock.now.advanced(by: Self.squeezeTime)
    // Users bring scenes back all the time, and a busy machine takes long for each that goes.
    while application.connectedSceneCount > limit, test.clock.now < end {
      try await test.clock.sleep(for: .milliseconds(2))
      let now = application.pressureReport.disconnectedForPressure
      if now > gone { (gone, end) = (now, test.clock.now.advanced(by: Self.squeezeTime)) }
    }
    let left = application.connectedSceneCount
    if left > limit { audit.note(.keptScenes, nil, count: left - limit) }
    // Each had its state in memory at least; half of that is beyond what others allocate.
    let held = (connected - left) * scenario.stateSize.typical / 2
    if let before, let after = test.meter.memory(), held > Self.noise,
      after.allocated > before.allocated - held
    {
      audit.note(.keptMemory, nil, count: after.allocated - (before.allocated - held))
    }
  }

  /// Brings all sessions back at once, as users do whose server has crashed, and notes what takes
  /// too much memory.
  func storm(_ tenants: LoadTenants, _ application: Application) async throws {
    test.meter.releaseUnused()
    let before = test.meter.memory()?.resident ?? 0
    let peak = try await withThrowingTaskGroup(of: Int.self) { group in
      // Looks how much is resident, until it is cancelled.
      group.addTask {
        var peak = 0
        while !Task.isCancelled {
          peak = max(peak, test.meter.memory()?.resident ?? 0)
          try? await test.clock.sleep(for: .milliseconds(5))
        }
        return peak
      }
      await reconnect(tenants, application)
      group.cancelAll()
      return try await group.next() ?? 0
    }
    let excess = peak - before - Self.tolerance - tenants.count * Self.sessionLimit
    if excess > 0 { audit.note(.tookMemory, nil, count: excess) }
  }

  /// Activates every session by a task of its own, in no order.
  private func reconnect(_ tenants: LoadTenants, _ application: Application) async {
    var random = SplitMix64(seed: scenario.seed)
    let places = (0..<tenants.count).shuffled(using: &random)
    await withTaskGroup { groups in
      for start in stride(from: 0, to: places.count, by: Self.groupSize) {
        let part = places[start..<min(start + Self.groupSize, places.count)]
        // A group for each part, see the size of one.
        groups.addTask {
          await withTaskGroup { group in
            for place in part where !test.isInterrupted() {
              // One user; a session that does not come back differs from what was sent to it.
              group.addTask {
                do throws(SceneError) {
                  try await application.activateSceneSession(
                    for: .init(session: tenants[place].session))
                } catch {
                  if !error.tellsOfDiscard { audit.fail(error) }
                }
              }
            }
          }
        }
      }
    }
  }
}

extension SceneError {
  /// Whether a session was discarded before what was asked of it was done, as the system may at any
  /// time: another session follows it.
  var tellsOfDiscard: Bool {
    switch code {
    case .sessionNotOpen, .connectionFailed, .lost: true
    default: false
    }
  }
}
