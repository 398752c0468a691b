// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium
import Testing

/// How changes reach a store that is not in the process's memory.
@Suite struct SnapshotWriterTests {
  /// Heeds cancellation, and refuses some commits.
  private static func heeding(
    refusals: Int
  ) -> @Sendable ([StoreChange]) async throws(StoreError) -> Void {
    let count = Counter()
    return { (_) throws(StoreError) in
      if Task.isCancelled { throw StoreError(.failed, "the task is cancelled") }
      if count.next() < refusals { throw StoreError(.full, "there is no room") }
    }
  }

  private final class Counter: Sendable {
    private let count = Guarded(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count - 1
      }
    }
  }

  @Test func `the end of a cancelled run reaches a store that heeds cancellation`() async throws {
    let store = RemoteStore(onCommit: Self.heeding(refusals: 0))
    let stage = Stage(capturing: "the end", store: store)
    try await stage.play { application in
      for _ in 0..<3 { try await application.host.newWindow() }
    }
    let kept = store.kept.sessions
    #expect(kept.count == 3)
    #expect(kept.allSatisfy { $0.stateRestorationActivity?.title == "the end" })
  }

  @Test func `what a store refused is offered again, in order, and nothing is lost`() async throws {
    let store = RemoteStore(onCommit: Self.heeding(refusals: 2))
    let stage = Stage(capturing: "kept", store: store) { $0.clock = InstantClock() }
    try await stage.play { application in
      let session = try await application.host.newWindow()
      try await application.host.background(session)
    }
    let kept = store.kept.sessions
    #expect(kept.map(\.stateRestorationActivity?.title) == ["kept"])
  }

  @Test func `a store that refuses to the end fails the run with its error`() async throws {
    let store = RemoteStore(onCommit: Self.heeding(refusals: .max))
    let stage = Stage(store: store) { $0.clock = InstantClock() }
    await #expect(throws: StoreError.self) {
      try await stage.play { application in try await application.host.newWindow() }
    }
  }
}

/// A clock whose sleeps end at once, unless the task is cancelled.
private struct InstantClock: Clock {
  let real = ContinuousClock()

  var now: ContinuousClock.Instant { real.now }
  var minimumResolution: Duration { real.minimumResolution }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
  }
}
