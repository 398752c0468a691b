// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium

  extension ClusterStatus {
    /// Lets a node give all its slices to others, and end: it is told at once.
    ///
    /// A node that has no others goes on until one joins. A node that is draining already goes on
    /// as it does.
    ///
    /// - Parameters:
    ///   - node: The number of the node.
    ///   - address: Where the database is, as ``PostgresAuthority`` takes it.
    /// - Throws: `limitExceeded` if no node lives by that number; `unusable` if there is no store;
    ///   `newerVersion`; what the server refuses.
    public static func drain(_ node: Int32, at address: String) async throws(StoreError) {
      try await change(address, named: "drain") { (connection, place) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(node)
        let rows = try connection.call("SELECT proscenium.drain_1($1)", parameters)
        return rows.boolean(0, 0)
          ? .success(())
          : .failure(
            StoreError(
              .limitExceeded,
              "\(place): expected the number of a node that lives, found \(node)."))
      }
    }

    /// Changes a cluster on a connection of its own.
    ///
    /// - Parameters:
    ///   - address: Where the database is.
    ///   - name: What is done, by which the server knows the connection.
    ///   - body: Does it; it is given the connection, and what its errors begin with.
    /// - Returns: What `body` returns.
    /// - Throws: `unusable` if there is no store; `newerVersion`; what the server refuses, or what
    ///   `body` gives as a failure.
    static func change<Value: Sendable>(
      _ address: String, named name: String,
      _ body:
        @escaping @Sendable (PostgresConnection, String) throws(PostgresFailure) ->
        Result<Value, StoreError>
    ) async throws(StoreError) -> Value {
      let address = try PostgresAddress(address)
      let line = PostgresLine(
        address, named: "proscenium \(name)", on: LineExecutor("proscenium.postgres.\(name)"),
        PostgresStoreOptions())
      let result: Result<Value, StoreError>
      do throws(PostgresFailure) {
        result = try await line.run { (connection) throws(PostgresFailure) in
          if let refusal = try PostgresSchema.refusal(of: connection, at: address.place) {
            return .failure(refusal)
          }
          return try body(connection, address.place)
        }
      } catch {
        result = .failure(error.error(at: address.place))
      }
      await line.close()
      return try result.get()
    }
  }
#endif
