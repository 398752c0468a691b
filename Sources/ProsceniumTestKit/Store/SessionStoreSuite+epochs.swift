// SPDX-License-Identifier: Apache-2.0

import Proscenium

// Checks of epochs, and of what a store notes as a whole.
extension SessionStoreSuite {
  var epochChecks: [Check] { [growingEpochs, fencing, failingLoad, restoring, runningTime] }

  private var growingEpochs: Check {
    Check("each load begins a greater epoch, also after opening the store again") { trial in
      // The trial compares each load with the one before.
      for _ in 0..<3 {
        try await trial.reload()
        try await trial.reopen()
      }
    }
  }

  private var fencing: Check {
    Check("what an application of an earlier epoch writes is refused") { trial in
      let row = StoreSample.row(1)
      let identifier = row.persistentIdentifier
      try await trial.commit([trial.inserting(row)])
      for isReopened in [false, true] {
        let (old, save) = (
          trial.load.epoch, try trial.saving(StoreSample.state(1), of: identifier).kind
        )
        if isReopened { try await trial.reopen() } else { try await trial.reload() }
        let new = StoreSample.row(2)
        let kinds: [(SessionIdentifier, StoreChange.Kind)] = [
          (identifier, save), (identifier, .activate(lastActivated: 3)),
          (identifier, .update(StoreSample.fullRow(1))), (identifier, .remove),
          (new.persistentIdentifier, .insert(new)),
        ]
        for (session, kind) in kinds {
          let change = StoreChange(session: session, epoch: old, kind: kind)
          await trial.expectFenced([change], session, isReopened ? "again" : "after a load")
        }
        await trial.expectState(of: identifier, nil, "after refusals")
        trial.expectRows(try await trial.reload(), [row], "after refusals")
      }
    }
  }

  private var failingLoad: Check {
    Check("an error of the one who is given rows ends the load") { trial in
      let rows = (0..<3).map { StoreSample.row($0) }
      try await trial.commit(rows.map(trial.inserting))
      do {
        _ = try await trial.store.load { _ in throw PlantedError() }
        trial.fail("the load went on")
      } catch is PlantedError {
      } catch {
        trial.fail("the load threw \(error)")
      }
      trial.expectRows(try await trial.reload(), rows, "after a load that failed")
      try await trial.commit([(rows[0].persistentIdentifier, .remove)])
      trial.expectRows(try await trial.reopen(), Array(rows[1...]), "after that")
    }
  }

  private var restoring: Check {
    Check("the note that the program is restoring is kept until it is taken back") { trial in
      for isRestoring in [true, true, false, true, false] {
        try await trial.store.setRestoring(isRestoring)
        try await trial.reload()
        trial.expect(trial.load.isRestoring == isRestoring, "a load forgot \(isRestoring)")
        try await trial.commit([trial.inserting(StoreSample.row(1))])
        try await trial.reopen()
        trial.expect(trial.load.isRestoring == isRestoring, "opening again forgot \(isRestoring)")
      }
    }
  }

  private var runningTime: Check {
    Check("the time that applications have run is kept") { trial in
      for time: Int64 in [1, 60, 1 << 40] {
        try await trial.store.setRunningTime(time, epoch: trial.load.epoch)
        try await trial.reload()
        trial.expect(trial.load.runningTime == time, "a load forgot \(time) ms")
        try await trial.commit([trial.inserting(StoreSample.row(1))])
        try await trial.reopen()
        trial.expect(
          trial.load.runningTime == time, "opening again forgot \(time) ms")
        try await trial.store.setRunningTime(7, epoch: trial.load.epoch - 1)
        try await trial.reload()
        trial.expect(
          trial.load.runningTime == time, "a note of an earlier epoch was taken")
      }
    }
  }
}

/// What a check throws to see whether it comes back.
private struct PlantedError: Error {}
