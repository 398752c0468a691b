// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Synchronization

@testable import Proscenium

/// Several lives of an application on one disk, of which most end by a loss of power: clients write
/// diaries and look after each life for what was acknowledged.
///
/// Everything is drawn from the seed: settings, faults, what the clients do, and when what happens.
final class DiarySimulation: Sendable {
  let executor: SeededExecutor
  private let seed: UInt64
  private let lives: Int

  /// What a simulation came to.
  struct Outcome: Sendable, Equatable {
    var findings: [String] = []
    var acknowledged = 0
    var lost = 0
    var counts = SimulatedSessionStore.Counts()
  }

  private struct Notes: Sendable {
    var outcome = Outcome()
    var diaries: [[SessionIdentifier: DiaryRecord]]
  }

  private static let clients = 3
  private let notes = Guarded(Notes(diaries: Array(repeating: [:], count: DiarySimulation.clients)))

  init(seed: UInt64, lives: Int = 4) {
    self.seed = seed
    self.lives = lives
    executor = SeededExecutor(seed: seed)
  }

  func run() throws -> Outcome {
    try executor.run(steps: 100_000) { try await self.live() }
  }

  private func live() async throws -> Outcome {
    var random = SplitMix64(seed: seed, stream: 99)
    var store = SimulatedSessionStore(
      seed: random.next(), clock: executor.clock, faults: Self.faults(&random))
    for life in 0..<lives {
      let settings = settings(&random)
      let losesPower = life < lives - 1 && random.number(below: 4) > 0
      let moment = Duration.milliseconds(random.number(below: 300))
      store = try await live(store, settings, losesPower: losesPower, at: moment, random.next())
    }
    let final = store
    return notes.withLock { notes in
      notes.outcome.counts = final.counts
      return notes.outcome
    }
  }

  private static func faults(_ random: inout SplitMix64) -> SimulatedSessionStore.Faults {
    var faults = SimulatedSessionStore.Faults()
    faults.loadTime = .zero ... .milliseconds(random.number(below: 50))
    faults.commitTime = .zero ... .milliseconds(random.number(below: 20))
    faults.fullPerThousand = random.number(below: 2) * 100
    faults.failedPerThousand = random.number(below: 2) * 100
    return faults
  }

  private func settings(_ random: inout SplitMix64) -> ApplicationSettings {
    var settings = ApplicationSettings.counted
    settings.identifiers = .counted(from: random.next() >> 24)
    settings.taskExecutor = executor
    settings.clock = executor.clock
    settings.shards = 1 << random.number(below: 4)
    settings.eventLimit = 4
    settings.durability =
      [.everyEvent, .within(.milliseconds(30)), .onDisconnect][random.number(below: 3)]
    return settings
  }

  // MARK: - One life

  private func live(
    _ store: SimulatedSessionStore, _ settings: ApplicationSettings, losesPower: Bool,
    at moment: Duration, _ seed: UInt64
  ) async throws -> SimulatedSessionStore {
    let application = Application(
      manifest: [SceneConfiguration("Main") { Diary() }], store: store, settings: settings,
      log: .silent)
    return await withTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await application.run()
        } catch {
          // Without power, or without room to the end, the last states cannot be written.
        }
      }
      for client in 0..<Self.clients {
        let random = SplitMix64(seed: seed, stream: client)
        group.addTask { await self.write(client, application, random) }
      }
      try? await executor.clock.sleep(for: moment)
      defer { group.cancelAll() }
      guard losesPower else { return store }
      let next = store.losePower()
      application.process.abandon()
      return next
    }
  }

  private func find(_ finding: String) {
    notes.withLock { $0.outcome.findings.append("seed \(seed): \(finding)") }
  }

  // MARK: - A client

  private func write(
    _ client: Int, _ application: Application, _ random: SplitMix64
  ) async {
    var random = random
    while !application.core.isLaunched {
      if application.isOver || Task.isCancelled { return }
      try? await executor.clock.sleep(for: .milliseconds(1))
    }
    guard await look(client, application) else { return }
    while !Task.isCancelled {
      do throws(SceneError) {
        try await act(client, application, &random)
      } catch {
        guard error.code != .notRunning else { return }
      }
      try? await executor.clock.sleep(for: .milliseconds(random.number(below: 10)))
    }
  }

  /// Looks what of its diaries is there.
  ///
  /// - Returns: Whether the application has answered.
  private func look(_ client: Int, _ application: Application) async -> Bool {
    let diaries = notes.withLock { $0.diaries[client] }
    for (session, record) in diaries.sorted(by: { $0.key < $1.key }) {
      var record = record
      do throws(SceneError) {
        let possible = record.entries.count
        let text = try await application.call("", to: session).string
        if let finding = record.compare(text) { find("\(session): \(finding)") }
        let known = record
        notes.withLock { notes in
          notes.outcome.lost += possible - known.entries.count
          notes.diaries[client][session] = known
        }
      } catch {
        // Without power there is no answer.
        if [.notRunning, .lost, .cancelled].contains(error.code) { return false }
        if record.acknowledged > 0 { find("\(session): \(error)") }
        notes.withLock { $0.diaries[client][session] = nil }
      }
    }
    return true
  }

  private func act(
    _ client: Int, _ application: Application, _ random: inout SplitMix64
  ) async throws(SceneError) {
    let sessions = notes.withLock { $0.diaries[client].keys.sorted() }
    guard !sessions.isEmpty, random.number(below: 8) > 0 else {
      let session = try await application.activateSceneSession()
      notes.withLock { $0.diaries[client][session.persistentIdentifier] = DiaryRecord() }
      return
    }
    let session = sessions[random.number(below: sessions.count)]
    switch random.number(below: 10) {
    case 0..<5: try await write(durably: true, session, client, application)
    case 5..<7: try await write(durably: false, session, client, application)
    case 7: try await application.host.perform(.background(session))
    case 8: try await application.host.perform(.disconnect(session))
    default:
      notes.withLock { $0.diaries[client][session] = nil }
      try await application.requestSceneSessionDestruction(session)
    }
  }

  private func write(
    durably: Bool, _ session: SessionIdentifier, _ client: Int, _ application: Application
  ) async throws(SceneError) {
    let entry = notes.withLock { notes in
      let count = notes.diaries[client][session]?.entries.count ?? 0
      // It may arrive whatever becomes of the call.
      notes.diaries[client][session]?.entries.append("\(count);")
      return "\(count);"
    }
    do throws(SceneError) {
      guard durably else {
        return try await application.sendWithBackpressure(SceneMessage(entry), to: session)
      }
      try await application.sendDurably(SceneMessage(entry), to: session)
    } catch {
      // What was refused did not arrive; what was not durable did.
      if error.code == .systemBusy || error.code.uiKitCode == 1 {
        notes.withLock { _ = $0.diaries[client][session]?.entries.popLast() }
      }
      throw error
    }
    notes.withLock { notes in
      guard durably, let count = notes.diaries[client][session]?.entries.count else { return }
      notes.diaries[client][session]?.acknowledged = count
      notes.outcome.acknowledged += 1
    }
  }
}
