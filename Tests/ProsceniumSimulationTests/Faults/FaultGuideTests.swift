// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation
import Testing

/// The code of Docs/FAULTS.md, with a real clock.
@Suite(.timeLimit(.minutes(10))) struct FaultGuideTests {
  @Test func `a program hands its parts over, and is struck`() async throws {
    var plan = FaultPlan(seed: 1)
    plan.disconnects.perSecond = 1_000
    plan.requests.duplicatedPerThousand = 1_000
    plan.delegates.hogs = .init(perThousand: 1_000, time: .microseconds(10) ... .microseconds(20))
    let (strikes, source) = AsyncStream.makeStream(of: Void.self)
    let log = FaultLog { if $0.kind == .disconnect { source.yield() } }
    let disk = InMemorySessionStore()
    let manifest = SceneManifest([SceneConfiguration("Main") { IdleDelegate() }])
    try await Self.play(plan, log, strikes, disk, manifest)
    #expect(log.faults(.disconnect).count >= 10)
    #expect(log.faults(.requestDuplicated).count == 10)
    #expect(log.faults(.delegateHog).count >= 20)
    #expect(disk.sessions.count == 20)
  }

  private static func play(
    _ plan: FaultPlan, _ log: FaultLog, _ strikes: AsyncStream<Void>,
    _ disk: InMemorySessionStore, _ manifest: SceneManifest
  ) async throws {
    let work = { @Sendable (application: Application, injector: FaultInjector) in
      await Self.work(application, injector, strikes)
    }
    let injector = FaultInjector(plan) { fault in log.add(fault) }
    var settings = ApplicationSettings()
    injector.install(in: &settings)
    try await Application.withRunning(
      manifest: manifest, store: injector.store(disk), settings: settings
    ) { application in
      async let _ = injector.run(against: application)
      await work(application, injector)
    }
  }

  /// Opens windows, and waits until the system has taken ten scenes.
  private static func work(
    _ application: Application, _ injector: FaultInjector, _ strikes: AsyncStream<Void>
  ) async {
    injector.begin()
    for _ in 0..<10 {
      _ = try? await injector.perform { try await application.host.newSession() }
    }
    var count = 0
    for await _ in strikes {
      count += 1
      if count == 10 { break }
    }
  }
}
