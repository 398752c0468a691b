// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium
  import ProsceniumPrimitives
  import ProsceniumSealing
  import ProsceniumStoring

  extension PostgresSessionStore {
    /// Reads and opens the saved states of sessions.
    ///
    /// - Parameter sessions: The sessions.
    /// - Returns: For each session its encoded state, `nil` if nothing is kept, or an error:
    ///   `damaged` if the state is not what was written; `keyUnavailable` while there is no key;
    ///   `failed` if the server cannot be reached. States of over 4 MiB together are left out.
    public func savedStates(
      of sessions: [SessionIdentifier]
    ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
      do throws(StoreError) {
        _ = try loadedEpoch()
      } catch {
        return Dictionary(
          sessions.map { ($0, .failure(error)) }, uniquingKeysWith: { one, _ in one })
      }
      return await self.sessions.savedStates(of: sessions)
    }

    // MARK: - Notes

    /// Notes that the program is restoring its state, or that it is no longer.
    ///
    /// - Parameter isRestoring: What the next load is to say.
    /// - Throws: `fenced` if another process has taken the store over; what the server refuses.
    public func setRestoring(_ isRestoring: Bool) async throws(StoreError) {
      try await note("set_restoring_1") { $0.add(isRestoring) }
    }

    /// Notes how long applications have run on the store.
    ///
    /// - Parameters:
    ///   - milliseconds: What the next load is to say.
    ///   - epoch: That of the application; nothing is noted in an earlier one than the store's.
    /// - Throws: `fenced` if another process has taken the store over; what the server refuses.
    public func setRunningTime(_ milliseconds: Int64, epoch: UInt32) async throws(StoreError) {
      guard try epoch >= loadedEpoch() else { return }
      try await note("set_running_time_1") { $0.add(milliseconds) }
    }

    private func note(
      _ function: String, _ add: @escaping @Sendable (inout PostgresParameters) -> Void
    ) async throws(StoreError) {
      _ = try loadedEpoch()
      guard let node = authority.node else { throw fenced() }
      try await authority.note(function, as: node, add)
    }

    /// Discards a session while no application uses the store; the next launch reports it
    /// (R-DST-4).
    ///
    /// - Parameter session: The session; one that is not kept is ignored.
    /// - Throws: As the function for several does.
    public func discardWhileNotRunning(_ session: SessionIdentifier) async throws(StoreError) {
      try await discardWhileNotRunning([session])
    }

    /// Discards sessions while no application uses the store, all or none; the next launch reports
    /// them (R-DST-4).
    ///
    /// Their keys leave the table, so that their saved states cannot be opened any more. The server
    /// keeps old versions of rows until they are vacuumed, and copies of them in its log, in
    /// replicas and in backups.
    ///
    /// - Parameter sessions: The sessions; those that are not kept are ignored.
    /// - Throws: `inUse` if an application uses the store; what the server refuses.
    public func discardWhileNotRunning(_ sessions: [SessionIdentifier]) async throws(StoreError) {
      let place = place
      try await authority.prepare()
      let isDone = try await authority.call { (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(places: sessions)
        return try connection.call("SELECT proscenium.discard_1($1, $2)", parameters).boolean(0, 0)
      }
      guard isDone else {
        throw StoreError(
          .inUse, "\(place): expected a store that no application uses, found one that is in use.")
      }
      for session in sessions { authority.keys.forget(session) }
    }
  }
#endif
