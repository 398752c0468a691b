// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation

/// An application in a run that a seed decides, with sessions and an injector next to it.
struct FaultStage: Sendable {
  let application: Application
  let injector: FaultInjector
  let clock: ManualClock
  let faults: FaultLog

  /// Runs a program under a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - seed: What decides the order of everything else.
  ///   - sessions: How many sessions are opened before the injection begins.
  ///   - store: Where sessions are kept.
  ///   - configuration: The kind of its scenes.
  ///   - prepare: Changes the settings.
  ///   - play: What happens during the run.
  /// - Returns: What `play` returns.
  /// - Throws: What `play` throws, and why the run did not come to its end.
  static func run<Answer: Sendable>(
    _ plan: FaultPlan, seed: UInt64 = 1, sessions: Int = 0,
    store: any SessionStore = InMemorySessionStore(),
    configuration: SceneConfiguration = SceneConfiguration("Main") { IdleDelegate() },
    prepare: @escaping @Sendable (inout ApplicationSettings, FaultInjector) -> Void = { _, _ in },
    _ play: @escaping @Sendable (FaultStage) async throws -> Answer
  ) throws -> Answer {
    let executor = SeededExecutor(seed: seed)
    let clock = executor.clock
    return try executor.run {
      let faults = FaultLog()
      let injector = FaultInjector(plan, clock: clock) { faults.add($0) }
      var settings = ApplicationSettings()
      settings.taskExecutor = executor
      settings.clock = clock
      settings.identifiers = .counted()
      settings.shards = 4
      prepare(&settings, injector)
      let application = Application(
        manifest: SceneManifest([configuration]), store: injector.store(store),
        settings: settings)
      let stage = FaultStage(
        application: application, injector: injector, clock: clock, faults: faults)
      return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await application.run() }
        await application.process.launched()
        for _ in 0..<sessions { try await application.host.newSession() }
        group.addTask { await injector.run(against: application) }
        let answer = try await play(stage)
        group.cancelAll()
        try await group.waitForAll()
        return answer
      }
    }
  }
}

/// The faults of a run in their order.
final class FaultLog: Sendable {
  private let entries = Guarded<[InjectedFault]>([])
  private let onAdd: @Sendable (InjectedFault) -> Void

  init(onAdd: @escaping @Sendable (InjectedFault) -> Void = { _ in }) {
    self.onAdd = onAdd
  }

  var faults: [InjectedFault] { entries.withLock { $0 } }

  func add(_ fault: InjectedFault) {
    entries.withLock { $0.append(fault) }
    onAdd(fault)
  }

  /// The faults of a kind.
  func faults(_ kind: FaultKind) -> [InjectedFault] { faults.filter { $0.kind == kind } }
}

/// A delegate that does nothing.
final class IdleDelegate: SceneDelegate {}
