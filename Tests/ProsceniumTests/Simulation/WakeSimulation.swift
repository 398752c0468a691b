// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives
import ProsceniumSimulation

@testable import Proscenium

/// Several lives of an application on one disk, which end by a loss of power around the moments at
/// which wakes are due; after the last one every wake that was promised has come exactly once.
///
/// What has come is read from the state of the scenes, as the disk has it.
final class WakeSimulation: Sendable {
  let executor: SeededExecutor
  private let seed: UInt64
  private let lives: Int

  /// What a simulation came to.
  struct Outcome: Sendable, Equatable {
    var findings: [String] = []
    var promised = 0
    var cancelled = 0
    var uncertain = 0
    /// Wakes that were given in a life, whether or not that was durable.
    var given = 0
    var counts = SimulatedSessionStore.Counts()
  }

  private struct Notes: Sendable {
    var outcome = Outcome()
    var sessions: [SessionIdentifier] = []
    var fates: [SessionIdentifier: [String: WakeFate]] = [:]
    var labels = 0
  }

  private static let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let notes = Guarded(Notes())

  init(seed: UInt64, lives: Int = 4) {
    self.seed = seed
    self.lives = lives
    executor = SeededExecutor(seed: seed)
  }

  func run() throws -> Outcome {
    try executor.run(steps: 200_000) { try await self.live() }
  }

  private func live() async throws -> Outcome {
    var random = SplitMix64(seed: seed, stream: 77)
    var faults = SimulatedSessionStore.Faults()
    faults.loadTime = .zero ... .milliseconds(random.number(below: 30))
    faults.commitTime = .zero ... .milliseconds(random.number(below: 20))
    faults.fullPerThousand = random.number(below: 2) * 100
    faults.failedPerThousand = random.number(below: 2) * 100
    var store = SimulatedSessionStore(seed: random.next(), clock: executor.clock, faults: faults)
    for life in 0..<lives {
      let settings = settings(&random)
      let isLast = life == lives - 1
      let moment = isLast ? Duration.seconds(5) : .milliseconds(20 + random.number(below: 300))
      store = try await live(store, settings, isLast: isLast, until: moment, random.next())
    }
    let final = store
    return notes.withLock { notes in
      notes.outcome.counts = final.counts
      return notes.outcome
    }
  }

  private func settings(_ random: inout SplitMix64) -> ApplicationSettings {
    var settings = ApplicationSettings.counted
    settings.identifiers = .counted(from: random.next() >> 24)
    settings.taskExecutor = executor
    let clock = executor.clock
    settings.clock = clock
    settings.wallClock = {
      let (seconds, attoseconds) = clock.now.offset.components
      return Self.start + Double(seconds) + Double(attoseconds) / 1e18
    }
    settings.shards = 1 << random.number(below: 3)
    settings.durability = [.everyEvent, .onDisconnect][random.number(below: 2)]
    settings.observer = { event in
      guard case .woken = event.kind else { return }
      self.notes.withLock { $0.outcome.given += 1 }
    }
    return settings
  }

  // MARK: - One life

  private func live(
    _ store: SimulatedSessionStore, _ settings: ApplicationSettings, isLast: Bool,
    until moment: Duration, _ seed: UInt64
  ) async throws -> SimulatedSessionStore {
    let application = Application(
      manifest: [SceneConfiguration("Main") { WakeDiary() }], store: store, settings: settings,
      log: .silent)
    return await withTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await application.run()
        } catch {
          // Without power the last states cannot be written.
        }
      }
      for client in 0..<(isLast ? 0 : 3) {
        let random = SplitMix64(seed: seed, stream: client)
        group.addTask { await self.act(application, settings, random) }
      }
      try? await executor.clock.sleep(for: moment)
      defer { group.cancelAll() }
      if isLast {
        await look(application)
        return store
      }
      let next = store.losePower()
      application.process.abandon()
      return next
    }
  }

  // MARK: - Clients

  private func act(
    _ application: Application, _ settings: ApplicationSettings, _ random: SplitMix64
  ) async {
    var random = random
    await application.process.launched()
    while !Task.isCancelled, !application.isOver {
      do throws(SceneError) {
        try await act(application, settings.wallClock(), &random)
      } catch {
        if error.code == .notRunning { return }
      }
      try? await executor.clock.sleep(for: .milliseconds(1 + random.number(below: 20)))
    }
  }

  private func act(
    _ application: Application, _ now: Date, _ random: inout SplitMix64
  ) async throws(SceneError) {
    let sessions = notes.withLock { $0.sessions }
    guard !sessions.isEmpty, random.number(below: 12) > 0 else {
      let session = try await application.activateSceneSession()
      return notes.withLock { $0.sessions.append(session.persistentIdentifier) }
    }
    let session = sessions[random.number(below: sessions.count)]
    switch random.number(below: 10) {
    case 0..<5:
      try await wake(session, at: now + Double(random.number(below: 250)) / 1_000, application)
    case 5: try await cancel(session, application, &random)
    case 6: try await application.host.perform(.background(session))
    case 7:
      try await application.host.perform(.background(session))
      try await application.host.perform(.disconnect(session))
    case 8: try await application.host.perform(.open(session))
    default: try application.send("look", to: session)
    }
  }

  private func wake(
    _ session: SessionIdentifier, at date: Date, _ application: Application
  ) async throws(SceneError) {
    let label = notes.withLock { notes in
      notes.labels += 1
      notes.fates[session, default: [:]]["w\(notes.labels)"] = .asked
      return "w\(notes.labels)"
    }
    let id = try await application.wake(session, at: date, .titled(label))
    notes.withLock { $0.fates[session]?[label] = .promised(id) }
  }

  private func cancel(
    _ session: SessionIdentifier, _ application: Application, _ random: inout SplitMix64
  ) async throws(SceneError) {
    let promised = notes.withLock { notes in
      (notes.fates[session] ?? [:]).sorted { $0.key < $1.key }.compactMap { label, fate in
        if case .promised(let id) = fate { (label, id) } else { nil }
      }
    }
    guard !promised.isEmpty else { return }
    let (label, id) = promised[random.number(below: promised.count)]
    notes.withLock { $0.fates[session]?[label] = .doubtful }
    let isCancelled = try await application.cancelWake(id, of: session)
    notes.withLock { $0.fates[session]?[label] = isCancelled ? .cancelled : .promised(id) }
  }

  // MARK: - The end

  private func look(_ application: Application) async {
    await application.settle()
    let fates = notes.withLock { $0.fates }
    for (session, wakes) in fates.sorted(by: { $0.key < $1.key }) {
      var text: String?
      do throws(SceneError) {
        text = try await application.call("", to: session).string
      } catch {
        // The session was not durable yet, and no wake of it can have been promised.
      }
      let given = (text ?? "").split(separator: ";").map(String.init)
      for label in given where wakes[label] == nil { find("\(session): \(label) is unknown") }
      for (label, fate) in wakes.sorted(by: { $0.key < $1.key }) {
        if let finding = fate.finding(given.count { $0 == label }) {
          find("\(session): \(label) \(finding): \(text ?? "no session")")
        }
        notes.withLock { notes in
          switch fate {
          case .promised: notes.outcome.promised += 1
          case .cancelled: notes.outcome.cancelled += 1
          case .asked, .doubtful: notes.outcome.uncertain += 1
          }
        }
      }
    }
  }

  private func find(_ finding: String) {
    notes.withLock { $0.outcome.findings.append("seed \(seed): \(finding)") }
  }
}
