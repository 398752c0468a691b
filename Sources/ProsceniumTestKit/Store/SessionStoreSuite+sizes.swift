// SPDX-License-Identifier: Apache-2.0

import Proscenium

// Checks with many sessions.
extension SessionStoreSuite {
  var sizeChecks: [Check] { [tenThousandSessions, coming] }

  private var tenThousandSessions: Check {
    Check("ten thousand sessions come back, each once and at most 1,024 at a time") { trial in
      var rows = (0..<10_000).map { number in
        var row = StoreSample.row(number)
        if number.isMultiple(of: 100) { row = StoreSample.fullRow(number) }
        return row
      }
      for start in stride(from: 0, to: rows.count, by: 2_500) {
        try await trial.commit(rows[start..<start + 2_500].map(trial.inserting))
      }
      let saved = stride(from: 0, to: rows.count, by: 7)
      try await trial.commit(
        try saved.map { try trial.saving(StoreSample.state($0), of: StoreSample.identifier($0)) })
      for number in saved { rows[number].hasSavedState = true }
      trial.expectRows(try await trial.reload(), rows, "after a load")
      trial.expectRows(try await trial.reopen(), rows, "after opening the store again")
      for number in stride(from: 0, to: rows.count, by: 49) {
        await trial.expectState(
          of: StoreSample.identifier(number), StoreSample.state(number), "again")
      }
    }
  }

  private var coming: Check {
    Check("sessions that come and go leave the others as they are") { trial in
      var kept: [Int: (row: SessionRow, state: Int?)] = [:]
      var next = 0
      for round in 1...12 {
        var changes: [(session: SessionIdentifier, kind: StoreChange.Kind)] = []
        for _ in 0..<60 {
          kept[next] = (StoreSample.fullRow(next), nil)
          changes.append(trial.inserting(StoreSample.fullRow(next)))
          next += 1
        }
        for number in kept.keys.sorted() where (number + round).isMultiple(of: 3) {
          let identifier = StoreSample.identifier(number)
          if (number + round).isMultiple(of: 2) {
            changes.append((identifier, .remove))
            kept[number] = nil
          } else {
            changes.append(try trial.saving(StoreSample.state(round), of: identifier))
            kept[number]?.state = round
            kept[number]?.row.hasSavedState = true
          }
        }
        try await trial.commit(changes)
        if round.isMultiple(of: 5) { try await trial.reopen() }
      }
      trial.expectRows(try await trial.reopen(), kept.values.map(\.row), "in the end")
      for number in 0..<next {
        await trial.expectState(
          of: StoreSample.identifier(number),
          kept[number]?.state.map { StoreSample.state($0) }, "in the end")
      }
    }
  }
}
