// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium
  import ProsceniumPrimitives
  import ProsceniumSealing
  import ProsceniumStoring

  extension PostgresSessionStore {
    /// How many bytes of states one answer has.
    private static let answerLimit: Int64 = 4 << 20

    /// Reads and opens the saved states of sessions.
    ///
    /// - Parameter sessions: The sessions.
    /// - Returns: For each session its encoded state, `nil` if nothing is kept, or an error:
    ///   `damaged` if the state is not what was written; `keyUnavailable` while there is no key;
    ///   `failed` if the server cannot be reached. States of over 4 MiB together are left out.
    public func savedStates(
      of sessions: [SessionIdentifier]
    ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
      // Both connections read, if there is enough for two.
      let half = sessions.count < 32 ? sessions.count : sessions.count / 2
      async let second = states(of: sessions[half...], on: readers[1])
      let first = await states(of: sessions[..<half], on: readers[0])
      return first.merging(await second) { first, _ in first }
    }

    private func states(
      of sessions: ArraySlice<SessionIdentifier>, on reader: PostgresLine
    ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
      if sessions.isEmpty { return [:] }
      var answers: [SessionIdentifier: Result<[UInt8]?, StoreError>] = [:]
      for session in sessions { answers[session] = .success(nil) }
      do throws(StoreError) {
        for kept in try await read(Array(sessions), on: reader) {
          answers[kept.session] =
            kept.isLeftOut
            ? nil
            : Result { () throws(StoreError) in
              try kept.open(keys) { () throws(StoreError) in try ring() }
            }
        }
      } catch {
        for session in sessions { answers[session] = .failure(error) }
      }
      return answers
    }

    private func read(
      _ sessions: [SessionIdentifier], on reader: PostgresLine
    ) async throws(StoreError) -> [KeptState] {
      _ = try loadedEpoch()
      do throws(PostgresFailure) {
        return try await reader.run { (connection) throws(PostgresFailure) in
          try KeptState.read(sessions, upTo: Self.answerLimit / 2, on: connection)
        }
      } catch {
        throw error.error(at: place)
      }
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

    /// Calls a function of three arguments, the first two of which are this node and its fence.
    private func note(
      _ function: String, _ add: @escaping @Sendable (inout PostgresParameters) -> Void
    ) async throws(StoreError) {
      _ = try loadedEpoch()
      let ownership = ownership
      let isNoted = try await ownership.call { (connection) throws(PostgresFailure) in
        // The fence can move between the look and the call, a few times at most.
        for _ in 0..<8 {
          guard let node = ownership.node,
            let fence = try ownership.readFence(of: node, on: connection)
          else { return false }
          var parameters = PostgresParameters()
          parameters.add(node)
          parameters.add(fence)
          add(&parameters)
          let done = try connection.call("SELECT proscenium.\(function)($1, $2, $3)", parameters)
          if done.boolean(0, 0) { return true }
        }
        return false
      }
      if !isNoted { throw ownership.fenced() }
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
      try await ownership.prepare()
      let isDone = try await ownership.call { (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(places: sessions)
        return try connection.call("SELECT proscenium.discard_1($1, $2)", parameters).boolean(0, 0)
      }
      guard isDone else {
        throw StoreError(
          .inUse, "\(place): expected a store that no application uses, found one that is in use.")
      }
      for session in sessions { keys.forget(session) }
    }
  }
#endif
