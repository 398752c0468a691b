// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium
  package import ProsceniumCluster
  package import ProsceniumStoring
  import ProsceniumPrimitives

  // What is kept of sessions.
  extension PostgresAuthority {
    /// How many bytes of states one answer has.
    private static let answerLimit: Int64 = 4 << 20

    // MARK: - Reading

    package func rows(of slices: [Int]) async throws(StoreError) -> [SessionRow] {
      let numbers = slices.map { Int16(clamping: $0) }
      // Another node may have written configurations since; they are few.
      let configurations = try await readConfigurations()
      // Both connections read, if there is enough for two.
      let half = numbers.count < 8 ? numbers.count : numbers.count / 2
      async let second = rows(of: Array(numbers[half...]), configurations, on: readers[1])
      let first = await rows(of: Array(numbers[..<half]), configurations, on: readers[0])
      return try first.get() + (await second).get()
    }

    private func rows(
      of slices: [Int16], _ configurations: ConfigurationNumbers, on reader: PostgresLine
    ) async -> Result<[SessionRow], StoreError> {
      if slices.isEmpty { return .success([]) }
      do throws(PostgresFailure) {
        return .success(
          try await reader.run { (connection) throws(PostgresFailure) in
            try RowPages.rows(of: slices, configurations, on: connection)
          })
      } catch {
        return .failure(error.error(at: place))
      }
    }

    package func savedStates(
      of sessions: [SessionIdentifier], known: [SessionIdentifier: AcknowledgedState]
    ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
      // Both connections read, if there is enough for two.
      let half = sessions.count < 32 ? sessions.count : sessions.count / 2
      async let second = states(of: sessions[half...], known, on: readers[1])
      let first = await states(of: sessions[..<half], known, on: readers[0])
      return first.merging(await second) { first, _ in first }
    }

    private func states(
      of sessions: ArraySlice<SessionIdentifier>, _ known: [SessionIdentifier: AcknowledgedState],
      on reader: PostgresLine
    ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
      if sessions.isEmpty { return [:] }
      let wanted = Array(sessions)
      var answers: [SessionIdentifier: Result<[UInt8]?, StoreError>] = [:]
      func open(_ kept: KeptState) -> Result<[UInt8]?, StoreError> {
        Result { () throws(StoreError) in
          try kept.open(keys) { () throws(StoreError) in try ring() }
        }
      }
      func openAcknowledged(_ session: SessionIdentifier) -> Result<[UInt8]?, StoreError>? {
        known[session].flatMap { KeptState(acknowledged: $0, of: session) }.map(open)
      }
      for session in sessions {
        answers[session] =
          known[session]?.isOfNewSession ?? false ? openAcknowledged(session) : .success(nil)
      }
      do throws(PostgresFailure) {
        let kept = try await reader.run { (connection) throws(PostgresFailure) in
          try KeptState.read(wanted, upTo: Self.answerLimit / 2, on: connection)
        }
        for kept in kept {
          let acknowledged = known[kept.session].flatMap { SealedState($0.sealed)?.version }
          let isLost = acknowledged.map { UInt64(bitPattern: $0) > kept.version } ?? false
          answers[kept.session] =
            if isLost { openAcknowledged(kept.session) } else { kept.isLeftOut ? nil : open(kept) }
        }
      } catch {
        for session in sessions { answers[session] = .failure(error.error(at: place)) }
      }
      return answers
    }

    package func versions(
      of sessions: [SessionIdentifier], on lane: Int
    ) async throws(StoreError) -> [SessionIdentifier: UInt64] {
      do throws(PostgresFailure) {
        return try await lanes[lane].run { (connection) throws(PostgresFailure) in
          var versions: [SessionIdentifier: UInt64] = [:]
          for start in stride(from: 0, to: sessions.count, by: 8_192) {
            var parameters = PostgresParameters()
            parameters.add(places: Array(sessions[start..<min(start + 8_192, sessions.count)]))
            let rows = try connection.call(
              "SELECT * FROM proscenium.sizes_1($1, $2)", parameters)
            for row in 0..<rows.count {
              guard let session = rows.identifier(row, 0) else { continue }
              versions[session] = UInt64(bitPattern: rows.integer(row, 1))
            }
          }
          return versions
        }
      } catch {
        throw error.error(at: place)
      }
    }

    // MARK: - Saving

    package func save(
      _ drafts: [SessionDraft], as node: Int32, behind fence: Int32, on lane: Int
    ) async throws(StoreError) -> SaveAnswer {
      if drafts.contains(where: { $0.saved != nil }) { try await checkKeyOnce() }
      let numbers = try await numbers(of: drafts)
      let saving = SavingLane(
        line: lanes[lane], name: Self.lane(lane), node: node, run: run, fence: fence)
      var refusals: [SessionIdentifier: StoreError] = [:]
      do throws(PostgresFailure) {
        var parts = SaveCall.parts(of: drafts).map(Array.init)
        while let part = parts.first {
          let call = SaveCall(part, numbers, isStored: keys.isStored)
          switch try await saving.save(call) {
          case .saved:
            note(call)
            parts.removeFirst()
          case .fenceMoved: return .fenceMoved
          case .newConnection:
            keys.doubtAll()
            return .newConnection
          case .unwritable(let failure) where part.count <= 1:
            for draft in part {
              let error = failure.error(at: place)
              refusals[draft.session] = StoreError(
                error.code, session: draft.session, error.message)
            }
            parts.removeFirst()
          case .unwritable:
            // One after the other: the rest can be written.
            parts.replaceSubrange(0..<1, with: part.map { [$0] })
          }
        }
        return .saved(refused: refusals)
      } catch {
        throw error.error(at: place)
      }
    }

    /// Notes with which keys sessions are kept.
    private func note(_ call: SaveCall) {
      for draft in call.drafts {
        let session = draft.session
        if let key = call.keyed[session] {
          keys.noteStored(session, key)
        } else if draft.isInsertion {
          keys.noteStored(session, nil)
        } else if draft.removes {
          keys.forget(session)
        }
      }
    }
  }
#endif
