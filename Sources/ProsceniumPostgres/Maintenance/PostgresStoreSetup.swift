// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium

  /// Makes the tables of a store as the owner of a database, so that programs need few rights.
  public enum PostgresStoreSetup: Sendable {
    /// Makes what is missing, and lets roles use it.
    ///
    /// A role that may use the store calls the store's functions and reads its two views; it has no
    /// rights to any table.
    ///
    /// - Parameters:
    ///   - address: The database, and a role that may make a schema in it.
    ///   - roles: The roles that programs log in as. The role of the address becomes a member of
    ///     each, so that the connections of a program that has died can be ended.
    /// - Returns: Whether there was no store before.
    /// - Throws: `unusable` if the role of the address may not do that, or a role is not there;
    ///   `newerVersion`; what the server refuses.
    @discardableResult
    public static func run(
      _ address: String, granting roles: [String]
    ) async throws(StoreError) -> Bool {
      let address = try PostgresAddress(address)
      let line = PostgresLine(
        address, named: "proscenium setup", on: LineExecutor("proscenium.postgres.setup"),
        PostgresStoreOptions())
      let result: Result<Bool, StoreError>
      do throws(PostgresFailure) {
        result = try await line.run {
          (connection) throws(PostgresFailure) -> Result<Bool, StoreError> in
          let isNew = try PostgresSchema.format(of: connection) == 0
          if let refusal = try PostgresSchema.prepare(connection, at: address.place) {
            return .failure(refusal)
          }
          for role in roles { try connection.run(Self.grants(to: role)) }
          return .success(isNew)
        }
      } catch {
        result = .failure(error.error(at: address.place))
      }
      await line.close()
      return try result.get()
    }

    private static func grants(to role: String) -> String {
      let name = "\"" + role.replacing("\"", with: "\"\"") + "\""
      return """
        GRANT USAGE ON SCHEMA proscenium TO \(name);
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA proscenium TO \(name);
        REVOKE EXECUTE ON FUNCTION proscenium.end_connections(integer, text) FROM \(name);
        GRANT SELECT ON proscenium.map, proscenium.session_list TO \(name);
        GRANT \(name) TO CURRENT_USER;
        """
    }
  }
#endif
