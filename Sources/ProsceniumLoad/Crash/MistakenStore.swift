// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A store that makes a mistake with every commit.
final class MistakenStore: SessionStore {
  private let store: any SessionStore
  private let mistake: CrashMistake

  init(_ store: any SessionStore, _ mistake: CrashMistake) {
    self.store = store
    self.mistake = mistake
  }

  func load(
    _ receive: @escaping @Sendable ([SessionRow]) throws -> Void
  ) async throws -> StoreLoad {
    try await store.load(receive)
  }

  func seal(
    _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
  ) throws(StoreError) -> [UInt8] {
    try store.seal(state, of: session, epoch: epoch)
  }

  func savedStates(
    of sessions: [SessionIdentifier]
  ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
    await store.savedStates(of: sessions)
  }

  func setRestoring(_ isRestoring: Bool) async throws(StoreError) {
    try await store.setRestoring(isRestoring)
  }

  func commit(
    _ changes: [StoreChange]
  ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
    let saves = changes.indices.filter { if case .save = changes[$0].kind { true } else { false } }
    var changes = changes
    switch mistake {
    case .early: break
    case .lost: if let last = saves.last { changes.remove(at: last) }
    case .swapped:
      if let first = saves.first, let last = saves.last {
        let (one, other) = (changes[first], changes[last])
        changes[first] = StoreChange(session: one.session, epoch: one.epoch, kind: other.kind)
        changes[last] = StoreChange(session: other.session, epoch: other.epoch, kind: one.kind)
      }
    case .kept: changes.removeAll { if case .remove = $0.kind { true } else { false } }
    case .torn:
      // The rows in one commit, the states in another one.
      var rows = changes
      for save in saves.reversed() { rows.remove(at: save) }
      _ = try await store.commit(rows)
      changes = saves.map { changes[$0] }
    }
    return try await store.commit(changes)
  }
}
