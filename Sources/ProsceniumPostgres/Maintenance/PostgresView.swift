// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumSealing
  import ProsceniumStoring

  /// Sees a store as it was at one moment, also while applications use it, and changes nothing.
  struct PostgresView: Sendable {
    let address: PostgresAddress
    let ring: KeyRing?
    private let line: PostgresLine

    /// Begins to see the store.
    ///
    /// - Throws: `unusable` if there is no store; `newerVersion`; `wrongKey`; whatever the provider
    ///   throws; what the server refuses.
    init(_ address: String, key: (any KeyProvider)?) async throws(StoreError) {
      let address = try PostgresAddress(address)
      self.address = address
      ring = try key.map { (key) throws(StoreError) in
        try StoreError.sealing { () throws(SealingError) in KeyRing(try key.keys()) }
      }
      // The view is that of the connection: another one would see another moment.
      line = PostgresLine(
        address, named: "proscenium view", on: LineExecutor("proscenium.postgres.view"),
        PostgresStoreOptions())
      do throws(StoreError) {
        let refusal = try await call { (connection) throws(PostgresFailure) in
          try PostgresSchema.refusal(of: connection, at: address.place)
        }
        if let refusal { throw refusal }
        try await call { (connection) throws(PostgresFailure) in
          try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        }
        try await checkKey()
      } catch {
        await line.close()
        throw error
      }
    }

    private func checkKey() async throws(StoreError) {
      guard let ring else { return }
      let checks = try await call { (connection) throws(PostgresFailure) in
        let rows = try connection.call("SELECT * FROM proscenium.cluster_1()")
        return [rows.bytes(0, 2), rows.bytes(0, 3)]
      }
      for check in checks where !check.isEmpty && !ring.recognises(check) {
        throw StoreError(
          .wrongKey,
          "\(address.place): expected the application key that the store is sealed with, found"
            + " another.")
      }
    }

    /// Runs calls that read.
    func call<Success: Sendable>(
      _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(StoreError) -> Success {
      do throws(PostgresFailure) {
        return try await line.run(isRepeatable: false, body)
      } catch {
        throw error.error(at: address.place)
      }
    }

    /// Ends the view.
    func close() async {
      await line.close()
    }
  }
#endif
