// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing
import ProsceniumStoring

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
    var drafts = SessionDraft.fold(changes, &refusals) { [epoch = store.epoch] change in
      if change.epoch >= epoch { return nil }
      return StoreError(
        .fenced, session: change.session,
        "expected a change of epoch \(epoch), found one of epoch \(change.epoch):"
          + " another application has loaded the store since.")
    }
    recency.take(from: &drafts)
    if recency.time != parts.options.now() { addRecency(to: &drafts) }
    guard !drafts.isEmpty else { return refusals }
    try write(drafts, &refusals)
    return refusals
  }

  /// Writes the activations that wait.
  ///
  /// - Throws: As ``commit(_:)``.
  mutating func writeRecency() throws(StoreError) {
    var drafts: [SessionDraft] = []
    addRecency(to: &drafts)
    var refusals: [SessionIdentifier: StoreError] = [:]
    if !drafts.isEmpty { try write(drafts, &refusals) }
  }

  /// Adds the activations of sessions that do not change otherwise, if there is a key: without one
  /// they go on waiting, and nothing else has to.
  private func addRecency(to drafts: inout [SessionDraft]) {
    guard !recency.isEmpty, (try? parts.ring()) != nil else { return }
    recency.add(to: &drafts, epoch: store.epoch)
  }

  // MARK: - Writing

  /// Writes drafts in one transaction; again without a session whose rows prove to be damaged.
  private mutating func write(
    _ drafts: [SessionDraft], _ refusals: inout [SessionIdentifier: StoreError]
  ) throws(StoreError) {
    var drafts = drafts.map(WrittenDraft.init)
    let destroysKeys = drafts.contains(where: \.draft.removes)
    // No copy of a key stays in the pages that are freed.
    if destroysKeys { try connection.execute("PRAGMA secure_delete = ON") }
    defer { if destroysKeys { try? connection.execute("PRAGMA secure_delete = FAST") } }
    let numbered = lastNumber
    while true {
      do throws(StoreError) {
        try transaction { (writer) throws(StoreError) in try writer.writeAll(&drafts) }
        break
      } catch {
        lastNumber = numbered
        guard error.code == .damaged, let session = error.session,
          let index = drafts.firstIndex(where: { $0.draft.session == session })
        else { throw error }
        refusals[session] = error
        drafts.remove(at: index)
      }
    }
    recency.time = parts.options.now()
    for index in drafts.indices {
      let session = drafts[index].draft.session
      recency.forget(session)
      if let entry = drafts[index].entry {
        parts.keys.settle(session, entry, wasPending: drafts[index].isPending)
      } else if drafts[index].draft.removes {
        parts.keys.forget(session)
      }
    }
    if destroysKeys { logHasDestroyedKeys = true }
  }

  /// Writes what is to be: sessions whose rows are known in the order of these, then the others.
  ///
  /// - Throws: `damaged` with the session that cannot be written.
  private mutating func writeAll(_ drafts: inout [WrittenDraft]) throws(StoreError) {
    let time = parts.options.now()
    var order: [(number: Int64, index: Int)] = []
    order.reserveCapacity(drafts.count)
    for index in drafts.indices {
      drafts[index].isPending = false
      drafts[index].entry =
        drafts[index].draft.changesMarkAlone
        ? parts.keys.entry(of: drafts[index].draft.session) : nil
      order.append((drafts[index].entry?.mark?.number ?? .max, index))
    }
    order.sort { $0.number < $1.number }
    for (_, index) in order {
      let session = drafts[index].draft.session
      try StoreError.naming(session) { () throws(StoreError) in
        if try !writeMark(&drafts[index], at: time) { try writeRow(&drafts[index], at: time) }
      }
    }
  }

  /// Writes a state or an activation of a session whose row is known.
  ///
  /// - Returns: Whether the row is where it was.
  private func writeMark(
    _ written: inout WrittenDraft, at time: Int64
  ) throws(StoreError) -> Bool {
    guard let seal = written.entry?.seal, var mark = written.entry?.mark else { return false }
    let draft = written.draft
    mark.epoch = draft.epoch
    mark.changedAt = time
    if let counter = draft.activation { mark.lastActivated = Int64(clamping: counter) }
    if let saved = draft.saved { mark.version = try version(of: saved, draft.session) }
    let statement = statements.updateMark
    statement.bind(mark.number, 1)
    statement.bind(Int64(mark.epoch), 2)
    statement.bind(mark.lastActivated, 3)
    statement.bind(mark.changedAt, 4)
    statement.bind(Int64(bitPattern: mark.version), 5)
    try unsafe mark.code(under: seal.codeKey).withUnsafeBytes { (code) throws(StoreError) in
      try unsafe statement.run(with: code.bytes, 6)
    }
    guard connection.changedRows == 1 else { return false }
    if let saved = draft.saved { try writeState(saved, of: mark.number, isNew: false) }
    written.entry?.mark = mark
    return true
  }

  private func version(
    of saved: [UInt8], _ session: SessionIdentifier
  ) throws(StoreError) -> UInt64 {
    guard let version = unsafe RecordSealer.version(of: saved.span.bytes) else {
      throw StoreError(.failed, session: session, "expected a sealed state.")
    }
    return version
  }

  /// Reads what is kept of a session, and writes what is to be.
  private mutating func writeRow(
    _ written: inout WrittenDraft, at time: Int64
  ) throws(StoreError) {
    written.entry = nil
    let draft = written.draft
    var stored = try reader.row(of: draft.session)
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
      guard draft.isInsertion else { return }
      lastNumber += 1
      row = StoredRow(lastNumber, draft.session, at: time)
    }
    let (seal, isPending) = try keys(of: draft, &row)
    if let stored, !draft.replacesAll { try check(stored, isKnown: !isPending) }
    try change(&row, draft, at: time)
    row.code = nil
    if let seal {
      let configurations = parts.configurations.withLock { $0 }
      let mark = try row.mark(configurations, under: seal.codeKey)
      row.code = mark.code(under: seal.codeKey)
      written.entry = SessionKeys.Entry(seal: seal, mark: mark)
      written.isPending = isPending
    }
    let statement = isNew ? statements.insertRow : statements.updateRow
    row.bind(to: statement)
    try statement.run()
    if draft.saved != nil || draft.isInsertion {
      try writeState(draft.saved ?? [], of: row.number, isNew: isNew)
    }
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
      return try row.check(configurations, under: try parts.seal(of: row).codeKey)
    }
    guard let key = try? parts.ring().unwrap(row.key).key else {
      throw row.damage("its key cannot be unwrapped")
    }
    try row.check(configurations, under: SessionSeal(key, parts.keys.salt).codeKey)
  }

  /// Brings the changes of a draft into a row.
  private mutating func change(
    _ row: inout StoredRow, _ draft: SessionDraft, at time: Int64
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
    if let saved = draft.saved { row.version = try version(of: saved, draft.session) }
    row.epoch = draft.epoch
    row.changedAt = time
  }

  /// The keys of a session that is being written, and whether they wait to be, in its row.
  private func keys(
    of draft: SessionDraft, _ row: inout StoredRow
  ) throws(StoreError) -> (seal: SessionSeal?, isPending: Bool) {
    if let pending = parts.keys.pending(draft.session) {
      row.key = pending.wrapped
      return (pending.seal, true)
    }
    if !row.key.isEmpty {
      do throws(StoreError) {
        return (try parts.seal(of: row), false)
      } catch  where error.code == .damaged && draft.replacesAll {
        // It gets a new one.
      }
    }
    // A session that has no key yet can be kept without one.
    guard let ring = try? parts.ring() else { return (nil, false) }
    // Of a session that was removed the state may have been sealed before.
    let seal =
      if let known = parts.keys.find(draft.session) { known } else {
        try parts.keys.make(for: draft.session, ring)
      }
    row.key =
      if let pending = parts.keys.pending(draft.session) { pending.wrapped } else {
        try StoreError.sealing(draft.session) { () throws(SealingError) in
          try ring.primary.wrap(seal.sessionKey)
        }
      }
    return (seal, true)
  }

  /// Writes a sealed state; an empty one for none.
  private func writeState(
    _ sealed: [UInt8], of number: Int64, isNew: Bool
  ) throws(StoreError) {
    func write(_ statement: SQLiteStatement) throws(StoreError) {
      statement.bind(number, 1)
      if sealed.isEmpty {
        statement.bindNull(2)
        try statement.run()
      } else {
        try unsafe statement.run(with: sealed.span.bytes, 2)
      }
    }
    try write(isNew ? statements.insertState : statements.updateState)
    // The session is there; a state that has vanished is written again.
    if !isNew, connection.changedRows == 0 { try write(statements.insertState) }
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
        row.code = nil
        row.changedAt = writer.parts.options.now()
        row.bind(to: writer.statements.updateRow)
        try writer.statements.updateRow.run()
        try writer.writeState([], of: row.number, isNew: false)
      }
    }
    logHasDestroyedKeys = true
    for session in sessions { parts.keys.forget(session) }
  }
}
