// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

extension StoreWriter {
  /// Applies changes, all or none; they are on the disk when the function returns.
  ///
  /// - Throws: `fenced` if a change comes from an earlier epoch, or what SQLite refuses.
  mutating func commit(_ changes: [StoreChange]) throws(StoreError) {
    for change in changes where change.epoch < store.epoch {
      throw StoreError(
        .fenced, session: change.session,
        "expected a change of epoch \(store.epoch), found one of epoch \(change.epoch):"
          + " another application has loaded the store since.")
    }
    guard !changes.isEmpty else { return }
    var draft = CommitDraft(store: store, activationNumbers: activationNumbers)
    let keys = try newKeys(for: changes)
    var group = group
    self.group = ChangeGroup()
    defer { self.group = group }
    try parts.index.withLock { (index) throws(StoreError) in
      guard index.isLoaded else { throw parts.notLoaded }
      try group.take(changes, keys, &index)
      draft.census = index.segments.census
    }
    options.observe(.commitBegan)
    do throws(StoreError) {
      try transact(changes, group, &draft)
    } catch {
      parts.index.withLock { group.giveBack(&$0) }
      options.observe(.commitEnded(records: 0, bytes: 0, isDurable: false))
      throw error
    }
    options.observe(
      .commitEnded(
        records: fresh.placed.count, bytes: fresh.byteCount, isDurable: true))
  }

  /// Writes everything in a transaction, and lets the index follow; again without what is found to
  /// be damaged: a segment that cannot be compacted, or the table of activations.
  private mutating func transact(
    _ changes: [StoreChange], _ group: ChangeGroup, _ draft: inout CommitDraft
  ) throws(StoreError) {
    let first = draft
    while true {
      fresh.reset()
      survivors.reset()
      do throws(StoreError) {
        return try transaction { (writer) throws(StoreError) in
          try writer.write(changes, of: group, &draft)
          writer.options.reached(.insideCommit)
        } then: { writer in
          writer.options.reached(.afterCommit)
          writer.apply(draft, group)
        }
      } catch  where error.code == .damaged && draft.isAppending {
        appendsActivations = false
        draft = first
      } catch  where error.code == .damaged && draft.victim != nil {
        parts.index.withLock { index in
          if let victim = draft.victim { index.segments.setAside(victim) }
        }
        draft = first
      }
    }
  }

  /// Writes everything that a commit changes.
  private mutating func write(
    _ changes: [StoreChange], of group: ChangeGroup, _ draft: inout CommitDraft
  ) throws(StoreError) {
    for net in group.nets {
      do throws(StoreError) {
        try writeRows(net, changes, &draft)
      } catch  where error.code == .damaged {
        // The other sessions' changes can be committed without this one's.
        throw StoreError(.damaged, session: net.session, error.message)
      }
    }
    try writeActivations(&draft)
    try destroyKeys(&draft)
    try compact(group, changes, &draft)
    try writeRecords(of: group, changes, &draft)
    try writeSurvivors(&draft)
    try writeCensus(draft)
    if draft.changesStore {
      draft.store.nextSequence = max(
        draft.store.nextSequence, parts.index.withLock { $0.nextSequence })
      try draft.store.write(with: statements.writeStore)
    }
  }

  // MARK: - Rows

  private mutating func writeRows(
    _ net: ChangeGroup.Net, _ changes: [StoreChange], _ draft: inout CommitDraft
  ) throws(StoreError) {
    if net.removesOld, let old = net.oldNumber {
      try delete(old, &draft)
    }
    guard net.isKept, let number = net.number else { return }
    // A saved state or an activation alone, which most changes are, has nothing to do with the row.
    let changesRow = net.row != nil || net.activation != nil && !appendsActivations
    let stored = net.isNew || !changesRow ? nil : try read(number)
    if let place = net.row, let row = changes[place].row {
      var new = StoredRow(
        row, sid: number, configuration: try self.number(of: row.configuration, &draft),
        epoch: changes[place].epoch, at: options.now())
      if let stored {
        new.stateAfter = net.dropsState ? try version(of: number) : stored.stateAfter
        new.isDiscarded = net.dropsState ? false : stored.isDiscarded
        new.createdAt = stored.createdAt
        new.lastActivated = max(stored.lastActivated, activation(of: number))
      }
      new.activate(changes, net.activation)
      try write(new)
    } else if let place = net.activation, appendsActivations {
      if case .activate(let counter) = changes[place].kind {
        draft.activations.append(
          CommitDraft.Activation(sid: number, counter: Int64(clamping: counter)))
      }
    } else if net.activation != nil, var stored {
      stored.changedAt = options.now()
      stored.activate(changes, net.activation)
      try write(stored)
    }
    if net.isNew {
      draft.store.census.add(number.row)
      draft.changesStore = true
      try writeKey(of: net.session, number, &draft)
    } else if net.save != nil {
      try replaceKey(of: net.session, &draft)
    }
  }

  /// The counter of a session's last activation that was appended; 0 if there is none.
  private func activation(of number: SessionNumber) -> Int64 {
    parts.index.withLock { index in index.slot(of: number).map { index.activation($0) } ?? 0 }
  }

  private func write(_ row: StoredRow) throws(StoreError) {
    row.bind(to: statements.writeSession)
    try statements.writeSession.run()
  }

  /// Reads a session's row, or returns `nil` if it is damaged.
  func read(_ number: SessionNumber) throws(StoreError) -> StoredRow? {
    statements.readSession.bind(number.row, 1)
    defer { statements.readSession.reset() }
    do throws(StoreError) {
      guard try statements.readSession.step() else { return nil }
    } catch  where error.code == .damaged {
      return nil
    }
    let (row, isSound, _) = StoredRow.read(statements.readSession)
    return isSound ? row : nil
  }

  private func delete(
    _ number: SessionNumber, _ draft: inout CommitDraft
  ) throws(StoreError) {
    statements.deleteSession.bind(number.row, 1)
    try statements.deleteSession.run()
    draft.destroyedKeys.append(number)
    draft.store.census.remove(number.row)
    draft.changesStore = true
  }

  /// Removes the keys of removed sessions, so that nothing of them stays in the file.
  func destroyKeys(_ draft: inout CommitDraft) throws(StoreError) {
    guard !draft.destroyedKeys.isEmpty else { return }
    try connection.execute("PRAGMA secure_delete = ON")
    for number in draft.destroyedKeys {
      statements.deleteKey.bind(number.row, 1)
      try statements.deleteKey.run()
    }
    try connection.execute("PRAGMA secure_delete = FAST")
  }

  /// Makes keys for the sessions that are inserted and have none yet, if there is an application
  /// key.
  private func newKeys(
    for changes: [StoreChange]
  ) throws(StoreError) -> [SessionIdentifier: PendingSessions.Key] {
    let sessions = parts.index.withLock { index in
      changes.compactMap { change in
        if case .insert = change.kind, index.pending[change.session] == nil {
          change.session
        } else {
          nil
        }
      }
    }
    var keys: [SessionIdentifier: PendingSessions.Key] = [:]
    guard !sessions.isEmpty, let ring = try ringIfAvailable() else { return keys }
    var generator = SystemRandomness()
    for session in sessions {
      let key = SessionKey.random(using: &generator)
      keys[session] = PendingSessions.Key(sessionKey: key, wrapped: try ring.primary.wrap(key))
    }
    return keys
  }

  /// Writes the key of a new session: the one that something was sealed with, or a new one.
  private func writeKey(
    of session: SessionIdentifier, _ number: SessionNumber, _ draft: inout CommitDraft
  ) throws(StoreError) {
    let pending = parts.index.withLock { $0.pending[session] }
    try write(
      KeyRow(sid: number, identifier: session, wrapped: pending?.key?.wrapped ?? []), &draft)
  }

  /// Writes the key of a session whose key could not be read when it was sealed for.
  private func replaceKey(
    of session: SessionIdentifier, _ draft: inout CommitDraft
  ) throws(StoreError) {
    guard let pending = parts.index.withLock({ $0.pending[session] }), !pending.isNew,
      let key = pending.key
    else { return }
    try write(
      KeyRow(sid: pending.sid, identifier: session, wrapped: key.wrapped), &draft)
  }

  private func write(_ row: KeyRow, _ draft: inout CommitDraft) throws(StoreError) {
    row.bind(to: statements.writeKey)
    try statements.writeKey.run()
    guard !row.wrapped.isEmpty, let ring = try ringIfAvailable() else { return }
    // The store has to say by which keys its sessions' keys are wrapped.
    if draft.store.expect(ring.primary.check) { draft.changesStore = true }
  }

  private func ringIfAvailable() throws(StoreError) -> KeyRing? {
    do throws(StoreError) {
      return try parts.keyring.ring()
    } catch  where error.code == .keyUnavailable {
      return nil
    }
  }

  private mutating func number(
    of configuration: StoredConfiguration, _ draft: inout CommitDraft
  ) throws(StoreError) -> Int64 {
    if let number = configurations[configuration] ?? draft.configurations[configuration] {
      return number
    }
    let number = nextConfiguration + Int64(draft.configurations.count)
    guard number <= ConfigurationRow.limit else {
      throw StoreError(
        .limitExceeded,
        "\(parts.path): the store has \(ConfigurationRow.limit) configurations, and takes no more.")
    }
    ConfigurationRow.bind(configuration, number, to: statements.writeConfiguration)
    try statements.writeConfiguration.run()
    draft.configurations[configuration] = number
    return number
  }
}

extension StoredRow {
  /// Takes over the counter of an activation.
  fileprivate mutating func activate(_ changes: [StoreChange], _ place: Int?) {
    guard let place else { return }
    switch changes[place].kind {
    case .activate(let counter): lastActivated = Int64(clamping: counter)
    case .insert(let row): lastActivated = Int64(clamping: row.lastActivated)
    case .update, .save, .remove: return
    }
    epoch = max(epoch, changes[place].epoch)
  }
}

extension StoreChange {
  /// The row that the change brings.
  fileprivate var row: SessionRow? {
    switch kind {
    case .insert(let row), .update(let row): row
    default: nil
    }
  }
}

extension StoreRow {
  /// Notes that keys are wrapped by the key of a check from now on.
  ///
  /// - Returns: Whether that is new.
  fileprivate mutating func expect(_ check: [UInt8]) -> Bool {
    if keyCheck == check || nextKeyCheck == check { return false }
    if keyCheck.isEmpty { keyCheck = check } else { nextKeyCheck = check }
    return true
  }
}
