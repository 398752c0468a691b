// SPDX-License-Identifier: Apache-2.0

import Proscenium

// Checks of groups of changes.
extension SessionStoreSuite {
  var groupChecks: [Check] { [orderWithinGroup, emptyGroup, wholeGroup] }

  private var orderWithinGroup: Check {
    Check("changes of a group apply in their order, and the last of a session counts") { trial in
      let ids = (0..<8).map { StoreSample.identifier($0) }
      let rows = ids.map { StoreSample.row($0) }
      func titled(_ number: Int, _ title: String) -> SessionRow {
        var row = rows[number]
        row.title = title
        return row
      }
      let states = (0..<10).map { StoreSample.state($0) }
      try await trial.commit([
        // 0: two states, the later one counts. 1: gone again. 2: begun again.
        trial.inserting(rows[0]), trial.inserting(rows[1]), trial.inserting(rows[2]),
        try trial.saving(states[1], of: ids[0]), try trial.saving(states[2], of: ids[1]),
        try trial.saving(states[3], of: ids[0]), try trial.saving(states[4], of: ids[2]),
        (ids[1], .remove), (ids[2], .remove), trial.inserting(titled(2, "again")),
        // 3: its state came too early. 4: updates and activations.
        try trial.saving(states[5], of: ids[3]), trial.inserting(rows[3]),
        trial.inserting(rows[4]), (ids[4], .activate(lastActivated: 5)),
        (ids[4], .update(titled(4, "first"))), (ids[4], .activate(lastActivated: 4)),
        (ids[4], .update(titled(4, "second"))),
        // 5: a state between two insertions of itself. 6: a state after its removal.
        trial.inserting(rows[6]), (ids[6], .remove), try trial.saving(states[6], of: ids[6]),
        trial.inserting(titled(7, "x")), (ids[7], .update(rows[7])),
      ])
      var expected = [rows[0], titled(2, "again"), rows[3], titled(4, "second"), rows[7]]
      expected[0].hasSavedState = true
      expected[3].lastActivated = 4
      trial.expectRows(try await trial.reload(), expected, "after the group")
      trial.expectRows(try await trial.reopen(), expected, "after opening the store again")
      await trial.expectState(of: ids[0], states[3], "for the later of two states")
      for number in [1, 2, 3, 6] {
        await trial.expectState(of: ids[number], nil, "session \(number)")
      }
      try await trial.commit([(ids[0], .remove), try trial.saving(states[7], of: ids[0])])
      await trial.expectState(of: ids[0], nil, "for a state after a removal")
      expected.removeFirst()
      trial.expectRows(try await trial.reopen(), expected, "after a state behind a removal")
    }
  }

  private var emptyGroup: Check {
    Check("a group without changes changes nothing") { trial in
      let row = StoreSample.fullRow(1)
      try await trial.commit([])
      try await trial.commit([trial.inserting(row)])
      try await trial.commit([])
      trial.expectRows(try await trial.reopen(), [row], "after groups without changes")
    }
  }

  private var wholeGroup: Check {
    Check("of a session that is refused nothing applies") { trial in
      let row = StoreSample.row(1)
      let identifier = row.persistentIdentifier
      let new = StoreSample.fullRow(2)
      try await trial.commit([
        trial.inserting(row), try trial.saving(StoreSample.state(1), of: identifier),
      ])
      let old = trial.load.epoch
      try await trial.reload()
      let (_, save) = try trial.saving(StoreSample.state(2), of: identifier)
      let epoch = trial.load.epoch
      let group = [
        StoreChange(session: new.persistentIdentifier, epoch: epoch, kind: .insert(new)),
        StoreChange(session: identifier, epoch: epoch, kind: .activate(lastActivated: 9)),
        StoreChange(session: identifier, epoch: epoch, kind: save),
        StoreChange(session: identifier, epoch: old, kind: .activate(lastActivated: 10)),
        StoreChange(session: new.persistentIdentifier, epoch: epoch, kind: .remove),
      ]
      await trial.expectFenced(group, identifier, "behind changes of today")
      var expected = row
      expected.hasSavedState = true
      await trial.expectState(of: identifier, StoreSample.state(1), "after the refusal")
      trial.expectRows(try await trial.reload(), [expected], "after the refusal")
      trial.expectRows(try await trial.reopen(), [expected], "after opening the store again")
      await trial.expectState(of: identifier, StoreSample.state(1), "after opening the store again")
      // The refusal is of that group alone.
      try await trial.commit([(identifier, .activate(lastActivated: 11))])
      expected.lastActivated = 11
      trial.expectRows(try await trial.reopen(), [expected], "after a group of today")
    }
  }
}
