// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import Testing

  /// The application key is changed while the store is loaded.
  @Suite(.timeLimit(.minutes(10))) struct KeyRotationTests {
    private static let new = [UInt8](repeating: 9, count: 32)

    private static func states(_ store: PostgresSessionStore) async -> Set<[UInt8]?> {
      let answers = await store.savedStates(of: (0..<200).map { .test($0) })
      return Set(answers.values.map { try? $0.get() })
    }

    /// Makes sessions with a state each.
    private static func fill(_ store: PostgresSessionStore) async throws -> Set<[UInt8]?> {
      let load = try await store.load { _ in }
      var changes: [StoreChange] = []
      for number in 0..<200 {
        let session = SessionIdentifier.test(number)
        let state = [UInt8(number), 1]
        let row = SessionRow(persistentIdentifier: session)
        let sealed = try unsafe store.seal(state.span.bytes, of: session, epoch: load.epoch)
        for kind in [.insert(row), .save(sealed)] as [StoreChange.Kind] {
          changes.append(StoreChange(session: session, epoch: load.epoch, kind: kind))
        }
      }
      #expect(try await store.commit(changes) == [:])
      return Set((0..<200).map { [UInt8($0), 1] })
    }

    @Test func `after a load with both keys the new one is enough`() async throws {
      let database = try await TestDatabase.make()
      var store = try database.open()
      let states = try await Self.fill(store)
      #expect(await Self.states(store) == states)
      try await store.close()
      store = try database.open(key: Self.new, previous: TestDatabase.key)
      _ = try await store.load { _ in }
      #expect(await Self.states(store) == states)
      try await store.close()
      store = try database.open(key: Self.new)
      _ = try await store.load { _ in }
      #expect(await Self.states(store) == states)
      try await store.close()
      store = try database.open()
      let error = await #expect(throws: StoreError.self) { _ = try await store.load { _ in } }
      #expect(error?.code == .wrongKey)
      await store.abandon()
    }

    @Test func `a change of keys that was interrupted needs both keys, and goes on`() async throws {
      let database = try await TestDatabase.make()
      var store = try database.open()
      let states = try await Self.fill(store)
      try await store.close()
      // As it is when the process ends before the first page.
      _ = try await database.server.sql(
        "UPDATE proscenium.cluster SET next_key_check = '\\x01'", database: database.name)
      store = try database.open()
      let error = await #expect(throws: StoreError.self) { _ = try await store.load { _ in } }
      #expect(error?.code == .wrongKey)
      await store.abandon()
      _ = try await database.server.sql(
        "UPDATE proscenium.cluster SET next_key_check = NULL", database: database.name)
      store = try database.open(key: Self.new, previous: TestDatabase.key)
      _ = try await store.load { _ in }
      #expect(await Self.states(store) == states)
      try await store.close()
    }
  }
#endif
