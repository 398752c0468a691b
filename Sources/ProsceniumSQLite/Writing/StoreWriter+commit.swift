// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing

extension StoreWriter {
  /// Applies changes, all or none of each session; they are on the disk when the function returns.
  ///
  /// - Returns: The sessions of which nothing was written, and why: `fenced` or `damaged`.
  /// - Throws: `keyUnavailable`, or what SQLite refuses; nothing was written then.
  mutating func commit(
    _ changes: [StoreChange]
  ) throws(StoreError) -> [SessionIdentifier: StoreError] {
    try parts.requireLoaded()
    var refusals: [SessionIdentifier: StoreError] = [:]
    var drafts = fold(changes, &refusals)
    // Activations wait for the next second, or for another change of their session.
    for index in drafts.indices {
      let session = drafts[index].session
      if drafts[index].isActivationAlone {
        recency[session] = drafts[index].activation
      } else if let counter = recency[session], !drafts[index].isInsertion {
        drafts[index].activation = drafts[index].activation ?? counter
      }
    }
    drafts.removeAll(where: \.isActivationAlone)
    if recencyTime != options.now() { addRecency(to: &drafts) }
    guard !drafts.isEmpty else { return refusals }
    try write(&drafts, &refusals)
    return refusals
  }

  /// Writes the activations that wait.
  ///
  /// - Throws: As ``commit(_:)``.
  mutating func writeRecency() throws(StoreError) {
    var drafts: [SessionDraft] = []
    addRecency(to: &drafts)
    var refusals: [SessionIdentifier: StoreError] = [:]
    if !drafts.isEmpty { try write(&drafts, &refusals) }
  }

  /// Adds the activations of sessions that do not change otherwise, if there is a key: without one
  /// they go on waiting, and nothing else has to.
  private mutating func addRecency(to drafts: inout [SessionDraft]) {
    guard !recency.isEmpty, (try? parts.ring()) != nil else { return }
    let changed = Set(drafts.lazy.map(\.session))
    for (session, counter) in recency where !changed.contains(session) {
      var draft = SessionDraft(session, epoch: store.epoch)
      draft.activation = counter
      drafts.append(draft)
    }
  }

  /// What the changes come to for each session, without those of an earlier epoch.
  private func fold(
    _ changes: [StoreChange], _ refusals: inout [SessionIdentifier: StoreError]
  ) -> [SessionDraft] {
    var places: [SessionIdentifier: Int] = [:]
    places.reserveCapacity(changes.count)
    var drafts: [SessionDraft] = []
    drafts.reserveCapacity(changes.count)
    for change in changes {
      guard change.epoch >= store.epoch else {
        refusals[change.session] = StoreError(
          .fenced, session: change.session,
          "expected a change of epoch \(store.epoch), found one of epoch \(change.epoch):"
            + " another application has loaded the store since.")
        continue
      }
      if let place = places[change.session] {
        drafts[place].take(change)
      } else {
        places[change.session] = drafts.count
        drafts.append(SessionDraft(change.session, epoch: change.epoch))
        drafts[drafts.count - 1].take(change)
      }
    }
    if !refusals.isEmpty { drafts.removeAll { refusals[$0.session] != nil } }
    return drafts
  }

  // MARK: - Writing

  /// Writes drafts in one transaction; again without a session whose rows prove to be damaged.
  private mutating func write(
    _ drafts: inout [SessionDraft], _ refusals: inout [SessionIdentifier: StoreError]
  ) throws(StoreError) {
    let destroysKeys = drafts.contains(where: \.removes)
    // No copy of a key stays in the pages that are freed.
    if destroysKeys { try connection.execute("PRAGMA secure_delete = ON") }
    defer { if destroysKeys { try? connection.execute("PRAGMA secure_delete = FAST") } }
    let numbered = lastNumber
    while true {
      do throws(StoreError) {
        let written = try transaction { (writer) throws(StoreError) in
          try writer.writeAll(&drafts)
        }
        for (session, key) in written { parts.keys.settle(session, key) }
        break
      } catch {
        lastNumber = numbered
        guard error.code == .damaged, let session = error.session,
          let index = drafts.firstIndex(where: { $0.session == session })
        else { throw error }
        refusals[session] = error
        drafts.remove(at: index)
      }
    }
    recencyTime = options.now()
    for draft in drafts {
      recency[draft.session] = nil
      if draft.removes, draft.row == nil { parts.keys.forget(draft.session) }
    }
    if destroysKeys { logHasDestroyedKeys = true }
  }

  /// Reads what is kept of the sessions, and writes what is to be, in the order of the rows.
  ///
  /// - Returns: The keys that are on the disk once this is.
  /// - Throws: `damaged` with the session that cannot be written.
  private mutating func writeAll(
    _ drafts: inout [SessionDraft]
  ) throws(StoreError) -> [(SessionIdentifier, SessionKeys.Pending)] {
    for index in drafts.indices {
      let session = drafts[index].session
      try StoreError.naming(session) { () throws(StoreError) in
        drafts[index].stored = try reader.row(of: session)
      }
    }
    drafts.sort { ($0.stored?.number ?? .max) < ($1.stored?.number ?? .max) }
    var written: [(SessionIdentifier, SessionKeys.Pending)] = []
    for draft in drafts {
      try StoreError.naming(draft.session) { () throws(StoreError) in
        if let key = try write(draft) { written.append((draft.session, key)) }
      }
    }
    return written
  }

  /// Writes what is to be kept of a session.
  ///
  /// - Returns: The key that is on the disk once this is, if it waited for that.
  private mutating func write(
    _ draft: SessionDraft
  ) throws(StoreError) -> SessionKeys.Pending? {
    var stored = draft.stored
    if draft.removes, let old = stored {
      try run(statements.deleteRow, old.number)
      try run(statements.deleteState, old.number)
      stored = nil
    }
    let isNew = stored == nil
    var row: StoredRow
    if let stored {
      row = stored
    } else {
      guard draft.isInsertion else { return nil }
      lastNumber += 1
      row = StoredRow(lastNumber, draft.session, at: options.now())
    }
    let (seal, pending) = try keys(of: draft, &row)
    if let stored, !draft.replacesAll { try check(stored, isKnown: pending == nil) }
    try change(&row, draft)
    if let seal {
      let configurations = parts.configurations.withLock { $0 }
      row.code = try row.code(configurations, under: seal.sessionKey)
    }
    row.bind(to: isNew ? statements.insertRow : statements.updateRow)
    try (isNew ? statements.insertRow : statements.updateRow).run()
    try writeState(of: row, draft, isNew: isNew)
    return pending
  }

  /// Makes sure that what is kept of a session is what was written.
  ///
  /// - Parameters:
  ///   - row: The row as it is kept.
  ///   - isKnown: Whether the key that is at hand is the row's.
  /// - Throws: `damaged` if it is not.
  private func check(_ row: StoredRow, isKnown: Bool) throws(StoreError) {
    if row.key.isEmpty { return try row.checkWithoutKey() }
    let configurations = parts.configurations.withLock { $0 }
    if isKnown {
      return try row.check(configurations, under: try parts.seal(of: row).sessionKey)
    }
    guard let key = try? parts.ring().unwrap(row.key).key else {
      throw row.damage("its key cannot be unwrapped")
    }
    try row.check(configurations, under: key)
  }

  /// Brings the changes of a draft into a row.
  private mutating func change(
    _ row: inout StoredRow, _ draft: SessionDraft
  ) throws(StoreError) {
    if let new = draft.row {
      let number = try parts.configurations.withLock { (table) throws(StoreError) in
        try table.number(of: new.configuration, on: connection)
      }
      row.take(new, configuration: number)
      if draft.isInsertion {
        row.lastActivated = Int64(clamping: new.lastActivated)
        row.version = 0
      }
      if draft.replacesAll { row.isDiscarded = false }
    }
    if let counter = draft.activation {
      row.lastActivated = Int64(clamping: counter)
    }
    if let saved = draft.saved {
      guard let version = unsafe RecordSealer.version(of: saved.span.bytes) else {
        throw StoreError(.failed, session: draft.session, "expected a sealed state.")
      }
      row.version = version
    }
    row.epoch = draft.epoch
    row.changedAt = options.now()
  }

  /// The keys of a session that is being written, which go into its row.
  private func keys(
    of draft: SessionDraft, _ row: inout StoredRow
  ) throws(StoreError) -> (seal: SessionSeal?, pending: SessionKeys.Pending?) {
    if let pending = parts.keys.pending(draft.session) {
      row.key = pending.wrapped
      return (pending.seal, pending)
    }
    if !row.key.isEmpty {
      do throws(StoreError) {
        return (try parts.seal(of: row), nil)
      } catch  where error.code == .damaged && draft.replacesAll {
        // It gets a new one.
      }
    }
    guard let ring = try? parts.ring() else {
      // A session that has no key yet can be kept without one.
      row.code = []
      return (nil, nil)
    }
    let pending: SessionKeys.Pending
    if draft.removes, let seal = parts.keys.find(draft.session) {
      // Its state may have been sealed before it was removed.
      let wrapped = try StoreError.sealing(draft.session) { () throws(SealingError) in
        try ring.primary.wrap(seal.sessionKey)
      }
      pending = SessionKeys.Pending(seal: seal, wrapped: wrapped)
    } else {
      pending = try parts.keys.make(for: draft.session, ring)
    }
    row.key = pending.wrapped
    return (pending.seal, pending)
  }

  private func writeState(
    of row: StoredRow, _ draft: SessionDraft, isNew: Bool
  ) throws(StoreError) {
    guard draft.saved != nil || draft.isInsertion else { return }
    let statement = isNew ? statements.insertState : statements.updateState
    func bind(_ statement: SQLiteStatement) throws(StoreError) {
      statement.bind(row.number, 1)
      statement.bind(Int64(row.version >> 40), 2)
      statement.bind(Int64(bitPattern: row.version), 3)
      if let saved = draft.saved {
        try statement.run(with: saved, 4)
      } else {
        statement.bindNull(4)
        try statement.run()
      }
    }
    try bind(statement)
    // The session is there; a state that has vanished is written again.
    if !isNew, connection.changedRows == 0 { try bind(statements.insertState) }
  }

  private func run(_ statement: SQLiteStatement, _ number: Int64) throws(StoreError) {
    statement.bind(number, 1)
    try statement.run()
  }

  // MARK: - Discarding

  /// Marks sessions as discarded, and destroys their keys, in one transaction.
  ///
  /// - Throws: What SQLite refuses; nothing was changed then.
  mutating func discard(_ sessions: [SessionIdentifier]) throws(StoreError) {
    try connection.execute("PRAGMA secure_delete = ON")
    defer { try? connection.execute("PRAGMA secure_delete = FAST") }
    try transaction { (writer) throws(StoreError) in
      for session in sessions {
        guard var row = try writer.reader.row(of: session) else { continue }
        row.isDiscarded = true
        row.version = 0
        row.key = []
        row.code = []
        row.changedAt = writer.options.now()
        row.bind(to: writer.statements.updateRow)
        try writer.statements.updateRow.run()
        var empty = SessionDraft(session, epoch: row.epoch)
        empty.isInsertion = true
        try writer.writeState(of: row, empty, isNew: false)
      }
    }
    logHasDestroyedKeys = true
    for session in sessions { parts.keys.forget(session) }
  }
}
