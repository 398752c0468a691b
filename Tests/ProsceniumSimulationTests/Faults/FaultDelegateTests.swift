// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

/// Delegates that hog or hang.
@Suite(.timeLimit(.minutes(10))) struct FaultDelegateTests {
  @Test(arguments: [FaultKind.delegateHog, .delegateHang])
  func `as many callbacks take their time as the plan says`(kind: FaultKind) throws {
    var plan = FaultPlan(seed: 5)
    let delay = FaultPlan.Delay(perThousand: 200, time: .milliseconds(2) ... .milliseconds(4))
    if kind == .delegateHog { plan.delegates.hogs = delay } else { plan.delegates.hangs = delay }
    let calls = Guarded(0)
    let faults = try FaultStage.run(
      plan, sessions: 2,
      configuration: SceneConfiguration("Main") { CallingDelegate { calls.withLock { $0 += 1 } } },
      prepare: { settings, injector in injector.install(in: &settings) }
    ) { stage in
      while !stage.injector.isInjecting { await Task.yield() }
      calls.withLock { $0 = 0 }
      let start = stage.clock.now
      for number in 0..<1_000 {
        try stage.application.send("", to: .numbered(1 + number % 2))
        await stage.application.settle()
      }
      let faults = stage.faults.faults
      let time = faults.compactMap(\.duration).reduce(.zero, +)
      #expect(start.duration(to: stage.clock.now) == time)
      #expect(calls.withLock { $0 } == 1_000)
      let scene = try #require(stage.application.scene(for: .numbered(1)))
      let isOwn = await scene.hasCallingDelegate
      #expect(isOwn)
      return faults
    }
    #expect((160...240).contains(faults.count))
    #expect(faults.allSatisfy { $0.kind == kind })
    #expect(Set(faults.map(\.session)) == [.numbered(1), .numbered(2)])
    let times = faults.compactMap(\.duration)
    #expect(times.allSatisfy { $0 >= .milliseconds(2) && $0 <= .milliseconds(4) })
    #expect(Set(times).count > 50)
  }

  @Test func `a delegate without a method is one without a method behind its front`() throws {
    var plan = FaultPlan(seed: 5)
    plan.delegates.hogs.perThousand = 1
    let unhandled = Guarded(0)
    try FaultStage.run(
      plan, sessions: 1,
      prepare: { settings, injector in
        settings.observer = { event in
          if case .diagnosed(.unhandledEvent) = event.kind { unhandled.withLock { $0 += 1 } }
        }
        injector.install(in: &settings)
      }
    ) { stage in
      try stage.application.send("", to: .numbered(1))
      await stage.application.settle()
    }
    #expect(unhandled.withLock { $0 } == 1)
  }

  @Test(arguments: [FaultKind.delegateHog, .delegateHang])
  func `a delegate that lingers by a real clock goes on when the injection ends`(
    kind: FaultKind
  ) async throws {
    var plan = FaultPlan(seed: 5)
    let delay = FaultPlan.Delay(perThousand: 1_000, time: .seconds(3_600) ... .seconds(3_600))
    if kind == .delegateHog { plan.delegates.hogs = delay } else { plan.delegates.hangs = delay }
    let began = DispatchSemaphore(value: 0)
    let injector = FaultInjector(plan) { _ in began.signal() }
    // A thread of its own: delegates that linger may have all those of the pool.
    Thread.detachNewThread {
      began.wait()
      injector.end()
    }
    var settings = ApplicationSettings()
    injector.install(in: &settings)
    let application = Application(
      manifest: SceneManifest([SceneConfiguration("Main") { IdleDelegate() }]), settings: settings)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await application.run() }
      await application.process.launched()
      injector.begin()
      _ = try await application.host.newSession()
      #expect(application.connectedSceneCount == 1)
      #expect(injector.counts[kind, default: 0] >= 1)
      group.cancelAll()
      try await group.waitForAll()
    }
  }
}

/// Tells of each message.
private final class CallingDelegate: SceneDelegate {
  private let call: @Sendable () -> Void

  init(_ call: @escaping @Sendable () -> Void) {
    self.call = call
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    call()
  }
}

extension Scene {
  /// Whether the delegate is the program's own, as far as the program can see.
  fileprivate var hasCallingDelegate: Bool { delegate is CallingDelegate }
}
