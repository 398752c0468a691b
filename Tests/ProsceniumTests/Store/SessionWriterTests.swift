// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium
import Testing

/// How changes reach a store that is not in the process's memory.
@Suite struct SessionWriterTests {
  @Test func `the end of a cancelled run reaches a store that heeds cancellation`() async throws {
    let store = PickyStore()
    let stage = Stage(capturing: "the end", store: store)
    try await stage.play { application in
      for _ in 0..<3 { try await application.host.newWindow() }
    }
    let kept = await store.rows.values
    #expect(kept.count == 3)
    #expect(kept.allSatisfy { $0.stateRestorationActivity?.title == "the end" })
  }

  @Test func `what a store refused is offered again, in order, and nothing is lost`() async throws {
    let store = PickyStore(refusals: 2)
    let stage = Stage(capturing: "kept", store: store) { $0.clock = InstantClock() }
    try await stage.play { application in
      let session = try await application.host.newWindow()
      try await application.host.background(session)
    }
    let kept = await store.rows.values
    #expect(kept.map(\.stateRestorationActivity?.title) == ["kept"])
  }

  @Test func `a store that refuses to the end fails the run with its error`() async throws {
    let store = PickyStore(refusals: .max)
    let stage = Stage(store: store) { $0.clock = InstantClock() }
    await #expect(throws: PickyStore.Refusal.self) {
      try await stage.play { application in try await application.host.newWindow() }
    }
  }
}

/// A store outside the process's memory: it heeds cancellation, and refuses some commits.
private actor PickyStore: SessionStore {
  struct Refusal: Error {}

  private(set) var rows: [SessionIdentifier: StoredSession] = [:]
  private var refusals: Int

  init(refusals: Int = 0) {
    self.refusals = refusals
  }

  func load() async throws -> StoredSessions { StoredSessions() }

  func setRestoring(_ isRestoring: Bool) async throws {}

  func commit(_ changes: [SessionChange]) async throws {
    try Task.checkCancellation()
    if refusals > 0 {
      refusals -= 1
      throw Refusal()
    }
    for change in changes { rows[change.session] = change.applied(to: rows[change.session]) }
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
