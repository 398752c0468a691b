// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation
import Synchronization
import Testing

/// Sessions that lose, or never get, the scene that something queued counts on: what is decided and
/// what there is agree afterwards.
@Suite struct LostSceneTests {
  private static let one = SessionIdentifier.number(1)
  private static let extend: @Sendable (isolated Scene) -> Void = { $0.extendStateRestoration() }

  /// One archived session whose first scene extends its restoration, with a clock.
  private static func extended(
    delegate: ApplicationScript? = nil
  ) -> (stage: Stage, clock: ManualClock) {
    let clock = ManualClock()
    let isFirst = Leased([true, false])
    let stage = Stage(
      ["S1.willConnect": { if isFirst.next() { extend($0) } }],
      store: InMemorySessionStore([.number(1)]), delegate: delegate
    ) {
      $0.shards = 1
      $0.clock = clock
      $0.foregroundCapacity = 1
      $0.identifiers = .counted(from: 2)
    }
    return (stage, clock)
  }

  @Test(arguments: [false, true])
  func `a victim whose restoration took too long does not get its place back (R-CFG-4)`(
    isRefreshed: Bool
  ) async throws {
    let wrong = ApplicationScript(choose: { _, _, _ in
      SceneConfiguration(name: nil, sessionRole: .windowExternalDisplay)
    })
    let (stage, clock) = Self.extended(delegate: wrong)
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      await application.settle()
      application.host.submit(.newSession()) { _ in }
      if isRefreshed {
        application.submit(.refresh(Self.one))
      } else {
        try application.send("first", to: Self.one)
      }
      await application.settle()
      clock.advance(by: .seconds(10))
      await application.settle()
      #expect(application.scene(for: Self.one)?.activationState == .background)
      #expect(application.disagreements == [])
    }
  }

  @Test(arguments: [false, true])
  func `a state that cannot be read for a moment leaves nothing behind that brings the scene`(
    isTwice: Bool
  ) async throws {
    let held = HeldExecutor()
    let failures = Atomic<Int>(isTwice ? 3 : 2)
    let fail: @Sendable (SessionIdentifier) throws(StoreError) -> Void = { _ throws(StoreError) in
      guard failures.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 else { return }
      throw StoreError(.keyUnavailable, "not now")
    }
    let store = RemoteStore([.number(1, state: "draft")], onRead: fail)
    let stage = Stage(store: store) { $0.useOneShard(on: held) }
    try await stage.play { application in
      await application.settle()
      held.hold()
      application.host.submit(.connect(Self.one)) { _ in }
      application.host.submit(.open(Self.one)) { _ in }
      try application.send("first", to: Self.one)
      held.letGo()
      await application.settle()
      #expect(application.disagreements == [])
    }
  }

  @Test func `a request that was queued before a time-out counts nothing back`() async throws {
    let (stage, clock) = Self.extended()
    try await stage.play { application in
      application.host.submit(.open(Self.one)) { _ in }
      await application.settle()
      async let code = SceneError.code { () throws(SceneError) in
        try await application.host.perform(.resume(Self.one))
      }
      await application.settle()
      try application.send("first", to: Self.one)
      clock.advance(by: .seconds(10))
      await application.settle()
      _ = await code
      #expect(application.disagreements == [])
    }
  }
}
