// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

// Checks of saved states.
extension SessionStoreSuite {
  var stateChecks: [Check] {
    [
      lastStateCounts, stateSizes, sealedBeforeInsertion, sealedEarlier, manyShards,
      readWhileWritten, survivesCrash,
    ]
  }

  private var lastStateCounts: Check {
    Check("the saved state is the last one, also after opening the store again") { trial in
      let rows = (0..<20).map { StoreSample.row($0) }
      try await trial.commit(rows.map(trial.inserting))
      for round in 1...10 {
        for row in rows {
          let state = StoreSample.state(round, byteCount: 50 * round)
          try await trial.commit([try trial.saving(state, of: row.persistentIdentifier)])
        }
        let state = StoreSample.state(round, byteCount: 50 * round)
        for row in rows {
          await trial.expectState(of: row.persistentIdentifier, state, "round \(round)")
        }
        if round.isMultiple(of: 4) { try await trial.reopen() }
      }
      let saved = rows.map { row in
        var saved = row
        saved.hasSavedState = true
        return saved
      }
      trial.expectRows(try await trial.reopen(), saved, "in the end")
      let last = StoreSample.state(10, byteCount: 500)
      for row in rows { await trial.expectState(of: row.persistentIdentifier, last, "in the end") }
    }
  }

  private var stateSizes: Check {
    Check("states of any size come back, from an empty one to one with all its snapshots") {
      trial in
      var states = [0, 1, 100, 4_000, 70_000, 1 << 20].map { StoreSample.state($0, byteCount: $0) }
      let snapshot = [UInt8](repeating: 7, count: SceneSession.snapshotSizeLimit - 1)
      let names = (1...SavedStateLimits.snapshotCountLimit).map { "\($0)" }
      let full = SavedState(
        snapshots: Dictionary(uniqueKeysWithValues: names.map { ($0, snapshot) }))
      states.append(try full.encoded())
      let rows = states.indices.map { StoreSample.row($0) }
      try await trial.commit(rows.map(trial.inserting))
      for (row, state) in zip(rows, states) {
        try await trial.commit([try trial.saving(state, of: row.persistentIdentifier)])
      }
      try await trial.reopen()
      for (row, state) in zip(rows, states) {
        await trial.expectState(of: row.persistentIdentifier, state, "of \(state.count) bytes")
      }
      // A small one takes the place of each, and an empty state that of a small one.
      let empty = try SavedState().encoded()
      for (number, row) in rows.enumerated() {
        let state = number == 0 ? empty : StoreSample.state(number)
        try await trial.commit([try trial.saving(state, of: row.persistentIdentifier)])
        await trial.expectState(of: row.persistentIdentifier, state, "after a large one")
      }
    }
  }

  private var sealedBeforeInsertion: Check {
    Check("a state can be sealed before its session was inserted") { trial in
      let row = StoreSample.row(1)
      let first = try trial.saving(StoreSample.state(1), of: row.persistentIdentifier)
      let second = try trial.saving(StoreSample.state(2), of: row.persistentIdentifier)
      try await trial.commit([trial.inserting(row), first])
      await trial.expectState(of: row.persistentIdentifier, StoreSample.state(1), "in one group")
      try await trial.commit([second])
      await trial.expectState(
        of: row.persistentIdentifier, StoreSample.state(2), "in a later group")
      try await trial.reopen()
      await trial.expectState(
        of: row.persistentIdentifier, StoreSample.state(2), "after opening again")
    }
  }

  private var sealedEarlier: Check {
    Check("of states that were sealed, those that were committed count") { trial in
      let row = StoreSample.row(1)
      let identifier = row.persistentIdentifier
      try await trial.commit([trial.inserting(row)])
      let first = try trial.saving(StoreSample.state(1), of: identifier)
      _ = try trial.saving(StoreSample.state(2), of: identifier)
      let third = try trial.saving(StoreSample.state(3), of: identifier)
      _ = try trial.saving(StoreSample.state(4), of: identifier)
      await trial.expectState(of: identifier, nil, "before anything was committed")
      try await trial.commit([first])
      await trial.expectState(of: identifier, StoreSample.state(1), "after the first commit")
      try await trial.commit([third])
      await trial.expectState(of: identifier, StoreSample.state(3), "after the second commit")
      try await trial.reopen()
      await trial.expectState(of: identifier, StoreSample.state(3), "after opening the store again")
    }
  }

  private var manyShards: Check {
    Check("many shards seal at once, each its own sessions") { trial in
      let (shards, perShard) = (8, 60)
      let rows = (0..<shards * perShard).map { StoreSample.row($0) }
      try await trial.commit(rows.map(trial.inserting))
      for round in 0..<3 {
        let (store, epoch) = (trial.store, trial.load.epoch)
        let sealed = try await withThrowingTaskGroup(of: [StoreChange].self) { group in
          for shard in 0..<shards {
            group.addTask {
              try (0..<perShard).map { index in
                let number = shard * perShard + index
                let state = StoreSample.state(number + round * 1_000, byteCount: 40 + number)
                let session = StoreSample.identifier(number)
                let bytes = try unsafe store.seal(state.span.bytes, of: session, epoch: epoch)
                return StoreChange(session: session, epoch: epoch, kind: .save(bytes))
              }
            }
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }
        _ = try await trial.store.commit(sealed)
        for number in rows.indices {
          await trial.expectState(
            of: StoreSample.identifier(number),
            StoreSample.state(number + round * 1_000, byteCount: 40 + number), "round \(round)")
        }
      }
    }
  }

  private var readWhileWritten: Check {
    Check("a state that is read while others are written never goes back") { trial in
      let row = StoreSample.row(1)
      let identifier = row.persistentIdentifier
      try await trial.commit([
        trial.inserting(row), try trial.saving(StoreSample.state(0), of: identifier),
      ])
      let (store, progress) = (trial.store, WriterProgress())
      let failure = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<2 {
          group.addTask { try await progress.follow(store, identifier) }
        }
        for number in 1...40 {
          try await trial.commit([try trial.saving(StoreSample.state(number), of: identifier)])
          progress.committed.withLock { $0 = number }
          await Task.yield()
        }
        progress.isDone.withLock { $0 = true }
        return try await group.reduce(nil) { $0 ?? $1 }
      }
      if let failure { trial.fail(failure) }
    }
  }

  private var survivesCrash: Check {
    Check("what was committed survives a crash", crashes: true) { trial in
      var rows = (0..<10).map { StoreSample.fullRow($0) }
      try await trial.commit(rows.map(trial.inserting))
      for round in 1...5 {
        for (number, row) in rows.enumerated() {
          let state = StoreSample.state(round * 100 + number)
          try await trial.commit([try trial.saving(state, of: row.persistentIdentifier)])
          rows[number].hasSavedState = true
        }
        let dropped = rows.removeLast()
        try await trial.commit([(dropped.persistentIdentifier, .remove)])
        try await trial.store.setRestoring(round.isMultiple(of: 2))
        trial.expectRows(try await trial.crash(), rows, "after crash \(round)")
        trial.expect(
          trial.load.isRestoring == round.isMultiple(of: 2), "crash \(round) changed isRestoring")
        for (number, row) in rows.enumerated() {
          await trial.expectState(
            of: row.persistentIdentifier, StoreSample.state(round * 100 + number),
            "after crash \(round)")
        }
        await trial.expectState(of: dropped.persistentIdentifier, nil, "after crash \(round)")
      }
    }
  }
}

/// How far a check has written, for concurrent readers.
private final class WriterProgress: Sendable {
  let isDone = Guarded(false)
  /// The number of the last state that was committed.
  let committed = Guarded(0)

  /// Reads the state of a session until the writer is done.
  ///
  /// - Returns: What is wrong, or nil.
  func follow(
    _ store: some SessionStore, _ session: SessionIdentifier
  ) async throws -> String? {
    var last = 0
    while !Task.isCancelled, !isDone.withLock({ $0 }) {
      last = max(last, committed.withLock { $0 })
      guard let number = try await store.readState(of: session).flatMap(StoreSample.number) else {
        return "no state was read after \(last)"
      }
      guard number >= last else { return "state \(number) was read after \(last)" }
      last = number
      await Task.yield()
    }
    return nil
  }
}
