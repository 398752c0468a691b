// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

// Checks of what a store keeps in the open.
extension SessionStoreSuite {
  var rowChecks: [Check] {
    [everyField, updates, replacement, identifiers, texts, removal, unknownSessions, ownKnowledge]
  }

  private var everyField: Check {
    Check("every field of a session comes back, and so does the absence of each") { trial in
      var rows = (1...4).map { StoreSample.fullRow($0) }
      rows.append(StoreSample.row(5))
      rows[1].destructionConditions = [.systemDisconnection, .userInitiatedDismissal]
      rows[2].activationConditions = SceneActivationConditions(can: .false, prefers: .true)
      rows[3].lastActivated = (1 << 48) - 1
      rows[3].nextWake = -(1 << 53)
      rows[3].lastUsed = 1 << 53
      try await trial.commit(rows.map(trial.inserting))
      trial.expectRows(try await trial.reload(), rows, "after a load")
      trial.expectRows(try await trial.reopen(), rows, "after opening the store again")
    }
  }

  private var updates: Check {
    Check("an update changes everything but the activation, and an activation only that") { trial in
      var rows = [StoreSample.fullRow(1), StoreSample.fullRow(2), StoreSample.row(3)]
      try await trial.commit(rows.map(trial.inserting))
      let counter = rows[0].lastActivated
      rows[0] = SessionRow(persistentIdentifier: rows[0].persistentIdentifier)
      rows[0].lastActivated = 999
      let other = StoreSample.fullRow(7)
      var changed = SessionRow(
        persistentIdentifier: rows[2].persistentIdentifier, configuration: other.configuration,
        group: other.group, activationConditions: other.activationConditions, title: other.title,
        subtitle: other.subtitle, destructionConditions: other.destructionConditions,
        nextWake: other.nextWake, owner: other.owner, lastUsed: other.lastUsed)
      try await trial.commit([
        (rows[0].persistentIdentifier, .update(rows[0])),
        (rows[1].persistentIdentifier, .activate(lastActivated: 77)),
        (changed.persistentIdentifier, .update(changed)),
        (changed.persistentIdentifier, .activate(lastActivated: 78)),
      ])
      rows[0].lastActivated = counter
      rows[1].lastActivated = 77
      changed.lastActivated = 78
      rows[2] = changed
      trial.expectRows(try await trial.reload(), rows, "after a load")
      trial.expectRows(try await trial.reopen(), rows, "after opening the store again")
    }
  }

  private var replacement: Check {
    Check("an insertion replaces the row of the same identifier") { trial in
      let first = StoreSample.fullRow(1)
      var second = StoreSample.row(1)
      second.title = "second"
      second.lastActivated = 3
      try await trial.commit([trial.inserting(first)])
      try await trial.commit([trial.inserting(second)])
      trial.expectRows(try await trial.reload(), [second], "after a second insertion")
      trial.expectRows(try await trial.reopen(), [second], "after opening the store again")
    }
  }

  private var identifiers: Check {
    Check("identifiers are told apart in each of their bits") { trial in
      var identifiers = [
        SessionIdentifier(high: 0, low: 0), SessionIdentifier(high: .max, low: .max),
        SessionIdentifier(high: .max, low: 0), SessionIdentifier(high: 0, low: .max),
      ]
      for bit in 0..<64 {
        identifiers.append(SessionIdentifier(high: 1 << UInt64(bit), low: 0))
        identifiers.append(SessionIdentifier(high: 0, low: 1 << UInt64(bit)))
      }
      var rows = identifiers.enumerated().map { number, identifier in
        var row = StoreSample.row(identifier)
        row.title = "\(number)"
        return row
      }
      try await trial.commit(rows.map(trial.inserting))
      for (number, identifier) in identifiers.enumerated() {
        try await trial.commit([try trial.saving(StoreSample.state(number), of: identifier)])
        rows[number].hasSavedState = true
      }
      trial.expectRows(try await trial.reopen(), rows, "after opening the store again")
      for (number, identifier) in identifiers.enumerated() {
        await trial.expectState(of: identifier, StoreSample.state(number), "after that")
      }
    }
  }

  private var texts: Check {
    Check("texts of any characters keep their bytes") { trial in
      let texts = [
        "", " ", "'", "\"", "a'b\"c`d", "'; DROP TABLE session; --", "%_*?", "\\", "\0", "a\0b",
        "\n\r\t", "\u{FEFF}x", "é", "e\u{301}", "👨‍👩‍👧", "🤡", "\u{10FFFF}", "\u{FFFD}",
        "NULL", "0", "1e5", "0x10", String(repeating: "long ", count: 800),
      ]
      let rows = texts.enumerated().map { number, text in
        let conditions = SceneActivationConditions(
          can: StoreSample.predicate("c" + text), prefers: StoreSample.predicate("p" + text))
        return SessionRow(
          persistentIdentifier: StoreSample.identifier(number),
          configuration: StoredConfiguration(
            role: SceneSession.Role(rawValue: "r" + text), name: text, delegateClass: text,
            sceneClass: text, manifestRevision: text),
          group: SceneGroup(rawValue: text), activationConditions: conditions, title: text,
          subtitle: text)
      }
      try await trial.commit(rows.map(trial.inserting))
      trial.expectRows(try await trial.reload(), rows, "after a load")
      trial.expectRows(try await trial.reopen(), rows, "after opening the store again")
    }
  }

  private var removal: Check {
    Check("a removed session is gone with its state, and its identifier begins again") { trial in
      let row = StoreSample.row(1)
      let other = StoreSample.row(2)
      let identifier = row.persistentIdentifier
      try await trial.commit([trial.inserting(row), trial.inserting(other)])
      try await trial.commit([try trial.saving(StoreSample.state(1), of: identifier)])
      try await trial.commit([(identifier, .remove)])
      await trial.expectState(of: identifier, nil, "after a removal")
      trial.expectRows(try await trial.reopen(), [other], "after a removal")
      await trial.expectState(of: identifier, nil, "after a removal and opening the store again")
      try await trial.commit([trial.inserting(row)])
      await trial.expectState(of: identifier, nil, "after a removal and an insertion")
      trial.expectRows(try await trial.reopen(), [row, other], "after a removal and an insertion")
      await trial.expectState(of: identifier, nil, "after both and opening the store again")
      try await trial.commit([try trial.saving(StoreSample.state(2), of: identifier)])
      await trial.expectState(
        of: identifier, StoreSample.state(2), "after a state of the new session")
    }
  }

  private var unknownSessions: Check {
    Check("changes of sessions that are not kept do nothing") { trial in
      let known = StoreSample.row(1)
      try await trial.commit([trial.inserting(known)])
      let unknown = StoreSample.identifier(2)
      for kind in [
        .update(StoreSample.fullRow(2)), .activate(lastActivated: 5), .remove,
        try trial.saving(StoreSample.state(1), of: unknown).kind,
      ] as [StoreChange.Kind] {
        try await trial.commit([(unknown, kind)])
        await trial.expectState(of: unknown, nil, "after a change of an unknown session")
        trial.expectRows(try await trial.reload(), [known], "after a change of an unknown session")
      }
      trial.expectRows(try await trial.reopen(), [known], "after opening the store again")
      await trial.expectState(of: StoreSample.identifier(3), nil, "for an unknown session")
    }
  }

  private var ownKnowledge: Check {
    Check("what the store knows itself is not taken from a change") { trial in
      var row = StoreSample.row(1)
      row.hasSavedState = true
      row.isDiscarded = true
      let other = StoreSample.row(2)
      try await trial.commit([trial.inserting(row), trial.inserting(other)])
      let identifiers = (row.persistentIdentifier, other.persistentIdentifier)
      try await trial.commit([try trial.saving(StoreSample.state(1), of: identifiers.1)])
      try await trial.commit([(identifiers.0, .update(row)), (identifiers.1, .update(other))])
      row.hasSavedState = false
      row.isDiscarded = false
      var saved = other
      saved.hasSavedState = true
      trial.expectRows(try await trial.reload(), [row, saved], "after a load")
      trial.expectRows(try await trial.reopen(), [row, saved], "after opening the store again")
    }
  }
}
