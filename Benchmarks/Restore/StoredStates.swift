// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium
import ProsceniumSQLite

/// Sessions of a store, each with a state.
struct StoredStates: Sendable {
  private let store: TemporaryStore
  private let sessions: [SessionIdentifier]

  init(_ count: Int) async throws {
    store = try TemporaryStore()
    let store = store.store
    let epoch = try await store.load { _ in }.epoch
    var sessions: [SessionIdentifier] = []
    for first in stride(from: 0, to: count, by: 256) {
      var changes: [StoreChange] = []
      for number in first..<min(first + 256, count) {
        let session = SessionIdentifier(high: 1, low: UInt64(number))
        let row = SessionRow(persistentIdentifier: session, lastActivated: UInt64(number + 1))
        let state = try SavedState(activity: Draft.edited(Int64(number))).encoded()
        let sealed = try unsafe store.seal(state.span.bytes, of: session, epoch: epoch)
        changes.append(StoreChange(session: session, epoch: epoch, kind: .insert(row)))
        changes.append(StoreChange(session: session, epoch: epoch, kind: .save(sealed)))
        sessions.append(session)
      }
      _ = try await store.commit(changes)
    }
    self.sessions = sessions
  }

  func measure() async throws -> Reading {
    var random = Random(1)
    return try await Stopwatch(seconds: Scale.current.seconds).measure(batch: 64) { _ in
      let number = random.number(below: sessions.count)
      guard let bytes = try store.store.savedState(of: sessions[number]),
        try SavedState(decoding: bytes).activity?.userInfo["edits"]?.integer == Int64(number)
      else { throw BenchmarkFailure("a state was not read as it was saved") }
    }
  }
}
