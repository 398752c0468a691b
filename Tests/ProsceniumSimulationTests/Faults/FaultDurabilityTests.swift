// SPDX-License-Identifier: Apache-2.0

import Logging
import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

/// A small program that is killed whenever the power is lost, and launched again on what the disk
/// has.
@Suite(.timeLimit(.minutes(10))) struct FaultDurabilityTests {
  @Test(arguments: UInt64(1)...12)
  func `nothing that was acknowledged is lost`(seed: UInt64) throws {
    var plan = FaultPlan(seed: seed)
    plan.disconnects.perSecond = 20
    plan.store.failedPerThousand = 100
    plan.store.fullPerThousand = 50
    plan.store.tornPerThousand = 10
    plan.store.delays = .init(perThousand: 500, time: .zero ... .milliseconds(40))
    plan.store.powerLosses = [.milliseconds(400), .seconds(2), .seconds(3)]
    plan.requests.delays = .init(perThousand: 100, time: .zero ... .milliseconds(50))
    let program = LedgerProgram(plan, seed: seed)
    let lives = try program.executor.run { try await program.play(sends: 60) }
    let kept = program.kept
    let acknowledged = program.acknowledged.withLock { $0 }
    #expect(acknowledged.count == 180)
    for (number, session) in acknowledged {
      #expect(kept[session]?.contains("\(number)") == true, "seed \(seed): \(number) of \(session)")
    }
    let counts = program.injector.counts
    #expect(lives >= 4, "seed \(seed): \(counts)")
    // One more can come when every client has what it wants, and the last changes are written.
    #expect((lives - 1...lives).contains(counts[.powerLoss, default: 0]))
    for kind in [FaultKind.storeFailed, .storeFull, .storeDelay, .requestDelayed, .disconnect] {
      #expect(counts[kind, default: 0] > 0, "seed \(seed): \(counts)")
    }
  }
}

/// Clients that send numbers to sessions, and note what is acknowledged.
private final class LedgerProgram: Sendable {
  let executor: SeededExecutor
  let injector: FaultInjector
  /// The session that took each number.
  let acknowledged = Guarded<[Int: SessionIdentifier]>([:])
  private let disk = InMemorySessionStore()
  private let nextNumber = Guarded(0)
  private let nextSession = Guarded(0)

  init(_ plan: FaultPlan, seed: UInt64) {
    executor = SeededExecutor(seed: seed)
    injector = FaultInjector(plan, clock: executor.clock)
  }

  /// What the disk has, by session.
  var kept: [SessionIdentifier: Set<Substring>] {
    var kept: [SessionIdentifier: Set<Substring>] = [:]
    for session in disk.sessions {
      let text = session.stateRestorationActivity?.title ?? ""
      kept[session.persistentIdentifier] = Set(text.split(separator: " "))
    }
    return kept
  }

  /// Lives until each of three clients has had as many acknowledgements as it wants.
  ///
  /// - Returns: How many lives it took.
  func play(sends: Int) async throws -> Int {
    let left = Guarded(Array(repeating: sends, count: 3))
    var lives = 0
    while left.withLock({ $0.contains { $0 > 0 } }) {
      lives += 1
      try await live { client in
        left.withLock { left in
          defer { left[client] -= 1 }
          return left[client] > 0
        }
      } restore: { client in
        left.withLock { $0[client] += 1 }
      }
      left.withLock { left in left = left.map { max($0, 0) } }
    }
    return lives
  }

  private func live(
    take: @escaping @Sendable (Int) -> Bool, restore: @escaping @Sendable (Int) -> Void
  ) async throws {
    let losses = injector.counts[.powerLoss, default: 0]
    let hasPower: @Sendable () -> Bool = {
      self.injector.counts[.powerLoss, default: 0] == losses
    }
    let application = makeApplication()
    await withTaskGroup { group in
      group.addTask { try? await application.run() }
      group.addTask { await self.injector.run(against: application) }
      await application.process.launched()
      await withTaskGroup { clients in
        for client in 0..<3 {
          clients.addTask {
            while hasPower(), take(client) {
              if await !self.send(application) { restore(client) }
            }
          }
        }
      }
      // What was not acknowledged may be lost.
      application.process.abandon()
      group.cancelAll()
    }
  }

  private func makeApplication() -> Application {
    var settings = ApplicationSettings()
    settings.taskExecutor = executor
    settings.clock = executor.clock
    settings.shards = 2
    settings.identifiers = .counted(from: UInt64(nextSession.withLock { $0 } + 1))
    injector.install(in: &settings)
    return Application(
      manifest: SceneManifest([SceneConfiguration("Main") { LedgerDelegate() }]),
      store: injector.store(disk), settings: settings,
      log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Sends a number to some session; returns whether it was acknowledged.
  private func send(_ application: Application) async -> Bool {
    let number = nextNumber.withLock { number in
      number += 1
      return number
    }
    try? await executor.clock.sleep(for: .milliseconds(20))
    do {
      let open = application.openSessions.map(\.persistentIdentifier).sorted()
      if open.count < 5 {
        let session = try await application.host.newSession().persistentIdentifier
        nextSession.withLock { $0 = max($0, session.number) }
      }
      guard !open.isEmpty else { return false }
      let session = open[number % open.count]
      try await injector.perform {
        try await application.sendDurably(SceneMessage("\(number)"), to: session)
      }
      acknowledged.withLock { $0[number] = session }
      return true
    } catch {
      return false
    }
  }
}

/// Keeps the numbers that it was sent.
private final class LedgerDelegate: SceneDelegate {
  private var text = ""

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    text = session.stateRestorationActivity?.title ?? ""
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    text += " " + message.string
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    UserActivity("ledger", title: text)
  }
}
