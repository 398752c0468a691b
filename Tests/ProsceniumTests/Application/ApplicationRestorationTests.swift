// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// The program's own restoration, around those of its scenes (semantics#the-application).
@Suite(.timeLimit(.minutes(10))) struct ApplicationRestorationTests {
  private static let extending = ApplicationScript(
    actions: ["didFinishLaunching": { $0.extendStateRestoration() }])

  /// A store with one session, whose last application ended in the middle of a restoration.
  private static func crashed(
    _ delegate: ApplicationScript = extending
  ) async throws -> InMemorySessionStore {
    let store = InMemorySessionStore([.number(1, state: "letter")])
    let stage = Stage(store: store, delegate: delegate)
    try await stage.application.whileRunning {
      await stage.application.process.launched()
      stage.application.process.abandon()
    }
    return store
  }

  @Test func `a crash in between drops the saved state, and keeps the session`() async throws {
    let store = try await Self.crashed()
    #expect(store.sessions.map(\.stateRestorationActivity?.title) == ["letter"])
    let lines = CallLog()
    let stage = Stage(store: store, logger: DiagnosticsLog.logger(lines))
    try await stage.play { application in
      #expect(application.session(.number(1))?.stateRestorationActivity == nil)
      #expect(store.sessions.map(\.stateRestorationActivity) == [nil])
    }
    #expect(lines.lines.contains("warning: savedStateDropped"))
    // The next one has nothing to drop any more.
    #expect(try await store.loaded().load.isRestoring == false)
  }

  @Test func `one that crashes before the saved state is dropped leaves that to the next one`()
    async throws
  {
    let lines = CallLog()
    let store = RemoteStore(
      [.number(1, state: "letter")],
      onCommit: { _ throws(StoreError) in
        lines.append("commit")
        throw StoreError(.full, "there is no room")
      })
    try await store.kept.setRestoring(true)
    let stage = Stage(store: store)
    try await stage.application.whileRunning {
      await stage.application.process.launched()
      while lines.lines.isEmpty { await Task.yield() }
      stage.application.process.abandon()
    }
    #expect(try await store.kept.loaded().load.isRestoring)
    #expect(store.kept.sessions.map { $0.stateRestorationActivity?.title } == ["letter"])
  }

  @Test func `a restoration that was completed is no reason`() async throws {
    let store = try await Self.crashed(
      ApplicationScript(actions: [
        "didFinishLaunching": { application in
          application.extendStateRestoration()
          application.extendStateRestoration()
          application.completeStateRestoration()
          application.completeStateRestoration()
          application.completeStateRestoration()
        }
      ]))
    try await Stage(store: store).play { application in
      #expect(application.session(.number(1))?.stateRestorationActivity?.title == "letter")
    }
  }

  @Test func `one of two that was completed is`() async throws {
    let store = try await Self.crashed(
      ApplicationScript(actions: [
        "didFinishLaunching": { application in
          application.extendStateRestoration()
          application.extendStateRestoration()
          application.completeStateRestoration()
        }
      ]))
    try await Stage(store: store).play { application in
      #expect(application.session(.number(1))?.stateRestorationActivity == nil)
    }
  }

  @Test func `an orderly end is no crash`() async throws {
    let store = InMemorySessionStore([.number(1, state: "letter")])
    try await Stage(store: store, delegate: Self.extending).play { _ in }
    #expect(try await store.loaded().load.isRestoring == false)
    #expect(store.sessions.map(\.stateRestorationActivity?.title) == ["letter"])
  }
}
