// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumSealing
  import ProsceniumStoring

  /// What the database has of a session's state, or had.
  struct KeptState: Sendable {
    let session: SessionIdentifier
    /// Whether the answer had no room for the record.
    let isLeftOut: Bool
    private let hasState: Bool
    private let key: [UInt8]
    let version: UInt64
    private let record: [UInt8]

    /// Reads the states of sessions.
    ///
    /// - Returns: What is kept of each that is kept, in any order.
    static func read(
      _ sessions: [SessionIdentifier], upTo byteLimit: Int64, on connection: PostgresConnection
    ) throws(PostgresFailure) -> [KeptState] {
      var parameters = PostgresParameters()
      parameters.add(places: sessions)
      parameters.add(byteLimit)
      let rows = try connection.call("SELECT * FROM proscenium.states_1($1, $2, $3)", parameters)
      return (0..<rows.count).compactMap { row in
        guard let session = rows.identifier(row, 0) else { return nil }
        return KeptState(
          session: session, isLeftOut: rows.boolean(row, 1), hasState: rows.boolean(row, 2),
          key: rows.bytes(row, 3), version: UInt64(bitPattern: rows.integer(row, 4)),
          record: rows.bytes(row, 5))
      }
    }

    /// Opens the state.
    ///
    /// - Returns: The state, or `nil` if there is none.
    /// - Throws: `damaged` if it is not what was written, or what `ring` throws.
    func open(
      _ keys: SessionKeys, _ ring: () throws(StoreError) -> KeyRing
    ) throws(StoreError) -> [UInt8]? {
      guard hasState else {
        if record.isEmpty { return nil }
        throw damage("it has no state, and there is one")
      }
      guard !record.isEmpty else { throw damage("its state is missing") }
      guard !key.isEmpty else { throw damage("its key is missing") }
      let seal = try keys.seal(of: session, keptAs: key, ring)
      do throws(SealingError) {
        return try unsafe RecordSealer.open(
          record.span.bytes, as: RecordPlace(stateOf: session, version: version), with: seal)
      } catch {
        throw StoreError(.damaged, session: session, "its saved state: \(error.message)")
      }
    }

    private func damage(_ text: String) -> StoreError {
      StoreError(.damaged, session: session, "expected a session as it was written: \(text).")
    }
  }

  extension KeptState {
    /// Takes a sealed state as the database had it.
    init?(acknowledged: AcknowledgedState, of session: SessionIdentifier) {
      guard let state = SealedState(acknowledged.sealed) else { return nil }
      self.init(
        session: session, isLeftOut: false, hasState: true, key: Array(state.wrappedKey),
        version: UInt64(bitPattern: state.version), record: Array(state.record))
    }
  }
#endif
