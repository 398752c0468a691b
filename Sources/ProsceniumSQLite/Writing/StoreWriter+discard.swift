// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

extension StoreWriter {
  /// Marks sessions as discarded, and destroys their keys, in one transaction.
  ///
  /// - Throws: `damaged` if a session's row is damaged; its key was destroyed all the same. Or what
  ///   SQLite refuses; nothing was changed then.
  mutating func discard(_ sessions: [SessionIdentifier]) throws(StoreError) {
    var damage: StoreError?
    try connection.execute("PRAGMA secure_delete = ON")
    defer { try? connection.execute("PRAGMA secure_delete = FAST") }
    try transaction { (writer) throws(StoreError) in
      for session in sessions {
        guard let number = try writer.number(of: session) else { continue }
        if try !writer.discard(session, number) {
          damage = StoreError(
            .damaged, session: session,
            "\(writer.parts.path): expected row \(number.row) of the table session with its"
              + " checksum: its key was destroyed, and the next launch does not report it.")
        }
      }
    } then: { writer in
      writer.logHasDestroyedKeys = true
      for session in sessions { writer.parts.keys.forget(session) }
      writer.parts.index.withLock { index in
        for session in sessions {
          if let slot = index.find(session) { index.dropRecord(slot) }
        }
      }
    }
    if let damage { throw damage }
  }

  /// Changes the rows of one session.
  ///
  /// - Returns: Whether its row is sound, and could be marked.
  private func discard(
    _ session: SessionIdentifier, _ number: SessionNumber
  ) throws(StoreError) -> Bool {
    // The row stays, so that the session can still be named should its other row be damaged.
    KeyRow(sid: number, identifier: session, wrapped: []).bind(to: statements.writeKey)
    try statements.writeKey.run()
    guard var row = try read(number) else { return false }
    row.isDiscarded = true
    row.stateAfter = UInt64(Int64.max)
    row.changedAt = options.now()
    row.bind(to: statements.writeSession)
    try statements.writeSession.run()
    return true
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
