// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium
import ProsceniumLoad
import ProsceniumSQLite

/// Saved states, decisions and launches: the parts of the runtime that need no scene.
enum StatePath {
  private static let group = 256

  /// The paths by their names.
  static var all: [String: CountedPath] {
    [
      "encode": {
        let state = SavedState(activity: Draft.edited(7))
        return try await repeating { _ = try state.encoded() }
      },
      "decode": {
        let bytes = try SavedState(activity: Draft.edited(7)).encoded()
        return try await repeating { _ = try SavedState(decoding: bytes) }
      },
      "write": {
        let fields = Draft.fields(editedTimes: 7)
        var state = StateWriter()
        return try await repeating {
          fields.write(to: &state)
          _ = try state.encoded()
        }
      },
      "read": {
        let bytes = try Draft.fields(editedTimes: 7).encoded()
        return try await repeating {
          var state = try StateReader(decoding: bytes)
          _ = Draft.Fields(from: &state)
        }
      },
      "seal": {
        let files = try TemporaryStore()
        let epoch = try await files.store.load { _ in }.epoch
        return try await repeating {
          _ = try seal(0, in: files.store, epoch)
        }
      },
      "commit_256": commit,
      "decision": {
        let workload = try RoutingWorkload(.mixed, sessions: 1_000, lookups: 2_000, seed: 1)
        let trial = RoutingTrial(workload)
        return try await counting {
          guard try trial.countWrong(0..<2_000) == 0 else {
            throw BenchmarkFailure("a decision was wrong")
          }
          return 2_000
        }
      },
      "launch_10000": launch,
    ]
  }

  private static func repeating(_ work: () throws -> Void) async rethrows -> Int {
    try await counting {
      for _ in 0..<500 { try work() }
      return 500
    }
  }

  /// Commits of 256 states of sessions that have one already.
  private static func commit() async throws -> Int {
    let files = try TemporaryStore()
    let store = files.store
    let epoch = try await insertSessions(group, into: store)
    // Others each time: what is the same is not written.
    let rounds = 8
    let states = try (0..<2 * rounds).map { _ in
      try (0..<group).map { number in
        let sealed = try seal(number, in: store, epoch)
        return StoreChange(session: session(number), epoch: epoch, kind: .save(sealed))
      }
    }
    var next = states[...]
    return try await counting {
      for _ in 0..<rounds { _ = try await store.commit(next.removeFirst()) }
      return rounds
    }
  }

  /// From opening a store with 10,000 sessions to the first request served, and to the end.
  private static func launch() async throws -> Int {
    let files = try TemporaryStore()
    _ = try await insertSessions(10_000, into: files.store)
    try await files.store.close()
    return try await counting {
      for _ in 0..<3 { try await launch(files.openAgain()) }
      return 3
    }
  }

  private static func launch(_ store: SQLiteSessionStore) async throws {
    var settings = ApplicationSettings()
    settings.taskExecutor = CallingThread.main
    settings.identifiers = .counted()
    try await Application.withMeasured(store: store, settings: settings) {
      CountingDelegate()
    } _: { application in
      let session = try await application.activateSceneSession().id
      guard application.openSessions.count == 10_001 else {
        throw BenchmarkFailure("sessions were missing after the launch")
      }
      try await application.requestSceneSessionDestruction(session)
    }
    try await store.close()
  }

  private static func insertSessions(
    _ count: Int, into store: SQLiteSessionStore
  ) async throws -> UInt32 {
    let epoch = try await store.load { _ in }.epoch
    let configuration = StoredConfiguration(
      name: "Measured", delegateClass: "CountingDelegate",
      sceneClass: SceneConfiguration.defaultSceneClass)
    _ = try await store.commit(
      (0..<count).map { number in
        var row = SessionRow(
          persistentIdentifier: session(number), lastActivated: UInt64(number + 1))
        row.configuration = configuration
        return StoreChange(session: session(number), epoch: epoch, kind: .insert(row))
      })
    return epoch
  }

  private static func session(_ number: Int) -> SessionIdentifier {
    SessionIdentifier(high: 1, low: UInt64(number))
  }

  /// 700 bytes, sealed as the state of a session.
  private static func seal(
    _ number: Int, in store: SQLiteSessionStore, _ epoch: UInt32
  ) throws -> [UInt8] {
    let state = [UInt8](repeating: 7, count: 700)
    return try unsafe store.seal(
      state.span.bytes, of: session(number), epoch: epoch)
  }
}
