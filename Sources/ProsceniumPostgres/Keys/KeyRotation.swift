// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumSealing
  import ProsceniumStoring

  /// Makes sure that the application key is the store's, and wraps the sessions' keys with the
  /// primary key where the previous one wrapped them.
  ///
  /// It goes page by page. While it is under way the store expects both keys; what was interrupted
  /// goes on at the next load. Each key changes only from what was read, so that several nodes can
  /// do it at once.
  struct KeyRotation: Sendable {
    /// The connection that is used, and where it leads.
    let line: PostgresLine
    let place: String
    let keyring: ApplicationKeyring

    /// How many keys a page has.
    private static let page: Int32 = 4_096

    /// What the store as a whole says.
    private struct Notes: Sendable {
      let runningTime: Int64
      let check, next: [UInt8]
    }

    /// Checks the key, and rotates what has to be rotated.
    ///
    /// - Returns: How many milliseconds applications have run on the store, and whether there is a
    ///   key.
    /// - Throws: `wrongKey`; what the server refuses. That there is no key is no error: sessions
    ///   can be read all the same.
    func run() async throws(StoreError) -> (runningTime: Int64, hasKey: Bool) {
      let notes = try await call { (connection) throws(PostgresFailure) in
        let rows = try connection.call("SELECT * FROM proscenium.cluster_1()")
        return Notes(
          runningTime: rows.integer(0, 1), check: rows.bytes(0, 2), next: rows.bytes(0, 3))
      }
      keyring.expect([notes.check, notes.next])
      let ring: KeyRing
      do throws(SealingError) {
        ring = try keyring.ring()
      } catch  where error.code == .keyUnavailable {
        return (notes.runningTime, false)
      } catch {
        throw StoreError(error)
      }
      let new = ring.primary.check
      if notes.check == new, notes.next.isEmpty { return (notes.runningTime, true) }
      if !notes.check.isEmpty {
        try await set(from: notes.check, notes.next, to: notes.check, new)
        try await wrapAll(ring)
        try await set(from: notes.check, new, to: new, [])
      } else {
        try await set(from: [], [], to: new, [])
      }
      keyring.expect([new])
      return (notes.runningTime, true)
    }

    /// Changes by what the store recognises its keys, unless another node has done so.
    private func set(
      from check: [UInt8], _ next: [UInt8], to newCheck: [UInt8], _ newNext: [UInt8]
    ) async throws(StoreError) {
      try await call { (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        for value in [check, next, newCheck, newNext] {
          parameters.add(value.isEmpty ? nil : value)
        }
        try connection.call("SELECT proscenium.set_key_checks_1($1, $2, $3, $4)", parameters)
      }
    }

    private func call<Success: Sendable>(
      _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(StoreError) -> Success {
      do throws(PostgresFailure) {
        return try await line.run(body)
      } catch {
        throw error.error(at: place)
      }
    }

    private func wrapAll(_ ring: KeyRing) async throws(StoreError) {
      var last: SessionIdentifier?
      while true {
        let after = last
        last = try await call { (connection) throws(PostgresFailure) in
          try Self.wrapPage(after: after, ring, on: connection)
        }
        if last == nil { return }
      }
    }

    /// Wraps the keys of the next page.
    ///
    /// - Returns: The last session that was seen, or `nil` behind the last page.
    private static func wrapPage(
      after last: SessionIdentifier?, _ ring: KeyRing, on connection: PostgresConnection
    ) throws(PostgresFailure) -> SessionIdentifier? {
      var parameters = PostgresParameters()
      parameters.add(last?.place ?? Int16.min)
      parameters.add(last ?? SessionIdentifier(high: 0, low: 0))
      parameters.add(page)
      parameters.add(last == nil)
      let rows = try connection.call(
        "SELECT * FROM proscenium.keys_1($1, $2, $3, $4)", parameters)
      var sessions: [SessionIdentifier] = []
      var (old, new): ([[UInt8]], [[UInt8]]) = ([], [])
      for row in 0..<rows.count {
        let wrapped = rows.bytes(row, 1)
        // A damaged one stays as it is: its session is refused when it is connected.
        guard let session = rows.identifier(row, 0), let key = try? ring.unwrap(wrapped),
          key.isOutdated, let again = try? ring.primary.wrap(key.key)
        else { continue }
        sessions.append(session)
        old.append(wrapped)
        new.append(again)
      }
      if !sessions.isEmpty {
        var parameters = PostgresParameters()
        parameters.add(places: sessions)
        parameters.add(old)
        parameters.add(new)
        try connection.call("SELECT proscenium.rekey_1($1, $2, $3, $4)", parameters)
      }
      return rows.count > 0 ? rows.identifier(rows.count - 1, 0) : nil
    }
  }
#endif
