// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Synchronization
import Testing

@testable import Proscenium

/// Activations and self-destructions from callbacks against a small bound.
///
/// The ordinary run issues 8,000, the full one (`PROSCENIUM_STORM_REQUESTS`, see ``StormTests``)
/// 200,000.
@Suite(.serialized) struct StormBurstTests {
  static let plans = [1, 2, 64].flatMap { shards in
    [
      StormBurst.Plan(shards: shards, capacity: nil, hasDelegate: false),
      StormBurst.Plan(shards: shards, capacity: nil, hasDelegate: true),
      StormBurst.Plan(shards: shards, capacity: 2, hasDelegate: true),
    ]
  }

  @Test(arguments: plans)
  func `each admitted request is fulfilled, each refused one reported, and nothing leaks`(
    _ plan: StormBurst.Plan
  ) async throws {
    let burst = StormBurst(plan)
    let application = WeakApplication(value: try await run(burst))
    for _ in 0..<1_000 where application.value != nil { await Task.yield() }
    #expect(application.value == nil, "\(plan)")
    #expect(burst.delegates.load(ordering: .relaxed) == 0, "\(plan)")
    #expect(burst.liveScenes == 0, "\(plan)")
  }

  private func run(_ burst: StormBurst) async throws -> Application {
    let application = burst.makeApplication()
    try await application.whileRunning {
      await burst.rage(application)
      expectAllIsOver(burst, application)
      try await expectFullBounds(burst, application)
    }
    return application
  }

  private func expectAllIsOver(_ burst: StormBurst, _ application: Application) {
    let records = burst.trace.records
    let opened = records.count { $0.kind == .opened }
    let destroyed = records.count { $0.kind == .destroyed }
    let refused = records.count { $0.kind == .refused && $0.refusal == .systemBusy }
    let refusals = burst.refusals.load(ordering: .relaxed)
    let plan = burst.plan
    #expect(burst.issued >= plan.requests, "\(plan)")
    #expect(burst.otherErrors.load(ordering: .relaxed) == 0, "\(plan)")
    #expect(opened + destroyed + refused == records.count, "\(plan)")
    #expect(refused == refusals + burst.refusedSeeds.load(ordering: .relaxed), "\(plan)")
    let admitted = burst.activations.load(ordering: .relaxed) - refusals
    #expect(opened == admitted + burst.seeds.load(ordering: .relaxed), "\(plan)")
    #expect(burst.becameActive.load(ordering: .relaxed) == opened, "\(plan)")
    #expect(burst.destructions.load(ordering: .relaxed) == opened, "\(plan)")
    #expect(destroyed == opened, "\(plan)")
    #expect(refusals > 0, "the bound was never reached: \(plan)")
    if plan.hasDelegate {
      #expect(burst.discards.load(ordering: .relaxed) == opened, "\(plan)")
    }
    #expect(application.openSessions.isEmpty, "\(plan)")
    #expect(application.core.leftovers == 0, "\(plan)")
    // Slots are used again.
    let slots = application.core.directory.mailboxes.reduce(0) { sum, mailbox in
      sum + mailbox.state.withLock { $0.entries.count }
    }
    #expect(slots <= opened / 2, "\(plan)")
    #expect(application.connectedScenes.isEmpty, "\(plan)")
    #expect(application.connectedSceneCount == 0, "\(plan)")
    #expect(application.applicationState == .background, "\(plan)")
    #expect(burst.store.sessions.isEmpty, "\(plan)")
    #expect(burst.delegates.load(ordering: .relaxed) == 0, "\(plan)")
    #expect(burst.liveScenes == 0, "\(plan)")
  }

  /// After the storm each bound is as wide as before: nothing that is finished counts against it.
  private func expectFullBounds(
    _ burst: StormBurst, _ application: Application
  ) async throws {
    burst.isOver.store(true, ordering: .relaxed)
    let session = try await application.host.newSession()
    try application.send("measure", to: session.id)
    await application.settle()
    let room = burst.room.load(ordering: .relaxed)
    // With one shard no task can finish anything before the callback has returned.
    if burst.plan.shards == 1 {
      #expect(room == StormBurst.requestLimit, "\(burst.plan)")
    } else {
      #expect(room >= StormBurst.requestLimit, "\(burst.plan)")
    }
    #expect(
      burst.messageRoom.load(ordering: .relaxed) == StormBurst.eventLimit - 1, "\(burst.plan)")
  }
}
