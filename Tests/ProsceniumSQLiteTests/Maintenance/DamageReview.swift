// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
@testable import ProsceniumSQLite

/// What a damaged store gives, held against what it should give.
struct DamageReview {
  /// What is wrong with the store's answers: something is missing, different or older, and no call
  /// says so.
  private(set) var complaints: [String] = []

  /// Why the whole store was refused, if it was.
  private(set) var refusal: StoreError?

  /// The sessions that were reported, each for itself.
  private(set) var reported: Set<SessionIdentifier> = []

  /// What was reported of the store as a whole.
  private(set) var storeDamage: [StoreError] = []

  /// Whether new sessions were refused.
  private(set) var refusesSessions = false

  /// The sessions whose changes were refused.
  private(set) var unwritable: Set<SessionIdentifier> = []

  /// Whether anything at all was reported.
  var isReported: Bool { refusal != nil || !reported.isEmpty || !storeDamage.isEmpty }

  /// Opens and loads a store and reads all states.
  init(of folder: TemporaryFolder, expecting filled: FilledStore) async {
    do {
      var test = try TestStore(folder)
      let (load, rows) = try await test.loadAll()
      storeDamage = load.damage.filter { $0.session == nil }
      reported = Set(load.damage.compactMap(\.session))
      reported.formUnion(rows.values.filter { $0.damage != nil }.map(\.persistentIdentifier))
      for (session, kept) in filled.kept { review(session, kept, rows[session], test) }
      for session in rows.keys where filled.kept[session] == nil && !reported.contains(session) {
        complaints.append("\(session) is there again, or was never there")
      }
      await write(rows.keys.sorted(), test)
      try await test.store.close()
    } catch let error as StoreError {
      refusal = error
      let codes: [StoreError.Code] = [.unusable, .damaged, .wrongKey, .newerVersion]
      if !codes.contains(error.code) { complaints.append("refused with \(error)") }
    } catch {
      complaints.append("refused with \(error)")
    }
  }

  /// Writes to everything that the store has given, and to something new.
  private mutating func write(_ sessions: [SessionIdentifier], _ test: TestStore) async {
    let new = SessionIdentifier(high: 5, low: 5)
    do {
      try await test.insert([new])
      try await test.save([1, 2], of: new)
      if try test.state(of: new) != [1, 2] { complaints.append("a new session has no state") }
    } catch {
      refusesSessions = true
      refuse(error, new)
    }
    for session in sessions {
      do {
        try await test.commit([
          (session, .activate(lastActivated: 77)),
          (session, .save(try test.seal([3], of: session))),
        ])
        if try test.state(of: session) != [3] { complaints.append("\(session) is not saved") }
        try await test.commit([(session, .remove)])
      } catch {
        unwritable.insert(session)
        refuse(error, session)
      }
    }
  }

  private mutating func refuse(_ error: any Error, _ session: SessionIdentifier) {
    if (error as? StoreError)?.code == .damaged { return }
    complaints.append("a change of \(session) is refused with \(error)")
  }

  private mutating func review(
    _ session: SessionIdentifier, _ kept: FilledStore.Kept, _ row: SessionRow?, _ test: TestStore
  ) {
    var state: Bytes?
    do {
      state = try test.state(of: session)
    } catch let error as StoreError where [.damaged, .wrongKey].contains(error.code) {
      if error.session == session {
        reported.insert(session)
      } else {
        complaints.append("\(session) is refused without its name: \(error)")
      }
    } catch {
      complaints.append("\(session) is refused with \(error)")
    }
    if reported.contains(session) {
      // A state that is given in spite of a damaged row has to be the right one.
      if let state, state != kept.state { complaints.append("\(session) has a wrong state") }
      return
    }
    guard let row else { return complaints.append("\(session) vanished") }
    if FilledStore.Kept(row, state: nil) != FilledStore.Kept(kept, state: nil) {
      complaints.append("\(session) has a wrong row")
    }
    if state != kept.state {
      complaints.append("\(session) has \(state == nil ? "no state" : "a wrong state")")
    }
    if row.hasSavedState != (kept.state != nil) {
      complaints.append("\(session) says that it has \(row.hasSavedState ? "a" : "no") state")
    }
  }
}

extension FilledStore.Kept {
  init(_ other: Self, state: Bytes?) {
    self = other
    self.state = state
  }
}
