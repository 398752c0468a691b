// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension StoreWriter {
  /// Marks a session as discarded, and destroys its key.
  ///
  /// - Throws: `damaged` if the session's row is damaged, or what SQLite refuses.
  mutating func discard(_ session: SessionIdentifier) throws(StoreError) {
    guard let number = try number(of: session) else { return }
    guard var row = try read(number) else {
      throw StoreError(
        .damaged, session: session,
        "\(parts.path): expected row \(number.row) of the table session with its checksum.")
    }
    row.isDiscarded = true
    row.stateAfter = UInt64(Int64.max)
    row.changedAt = options.now()
    // The row stays, so that the session can still be named should its other row be damaged.
    let key = KeyRow(sid: number, identifier: session, wrapped: [])
    try connection.execute("PRAGMA secure_delete = ON")
    defer { try? connection.execute("PRAGMA secure_delete = FAST") }
    try transaction { (writer) throws(StoreError) in
      row.bind(to: writer.statements.writeSession)
      try writer.statements.writeSession.run()
      key.bind(to: writer.statements.writeKey)
      try writer.statements.writeKey.run()
    }
    logHasDestroyedKeys = true
    parts.keys.forget(session)
    parts.index.withLock { index in
      if let slot = index.find(session) { index.dropRecord(slot) }
    }
  }

  /// The number of a session; without an index its row has to be looked for.
  private func number(of session: SessionIdentifier) throws(StoreError) -> SessionNumber? {
    let (isLoaded, number) = parts.index.withLock { index in
      (index.isLoaded, index.find(session).map(index.number))
    }
    if isLoaded { return number }
    let statement = try connection.prepare("SELECT sid FROM session WHERE id = ?1")
    defer { statement.finalize() }
    statement.bind(session, 1)
    return try statement.step() ? SessionNumber(row: statement.integer(0)) : nil
  }
}
