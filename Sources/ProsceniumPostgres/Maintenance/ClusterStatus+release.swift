// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium

  extension ClusterStatus {
    /// Lets slices be served again whose owners died one after the other: what is known of the
    /// deaths is forgotten, and the nodes are told at once.
    ///
    /// - Parameters:
    ///   - slices: The numbers of the slices; of all or none the deaths are forgotten.
    ///   - address: Where the database is, as ``PostgresAuthority`` takes it.
    /// - Returns: How many owners of each had died, in the same order; 0 for a slice of which
    ///   nothing was to be forgotten.
    /// - Throws: `limitExceeded` if there is no such slice; `unusable` if there is no store;
    ///   `newerVersion`; what the server refuses.
    public static func release(
      _ slices: [Int], at address: String
    ) async throws(StoreError) -> [Int] {
      try await change(address, named: "release") { (connection, place) throws(PostgresFailure) in
        try connection.run("BEGIN")
        do throws(PostgresFailure) {
          let result = try release(slices, at: place, on: connection)
          try connection.run((try? result.get()) == nil ? "ROLLBACK" : "COMMIT")
          return result
        } catch {
          try? connection.run("ROLLBACK")
          throw error
        }
      }
    }

    private static func release(
      _ slices: [Int], at place: String, on connection: PostgresConnection
    ) throws(PostgresFailure) -> Result<[Int], StoreError> {
      var deaths = [Int](repeating: 0, count: slices.count)
      // In the order in which a burial takes the rows as well.
      for index in slices.indices.sorted(by: { slices[$0] < slices[$1] }) {
        var parameters = PostgresParameters()
        parameters.add(Int32(clamping: slices[index]))
        let rows = try connection.call("SELECT proscenium.release_1($1)", parameters)
        guard let count = rows.integerOrNull(0, 0) else {
          let last = (1 << PostgresSchema.sliceBits) - 1
          return .failure(
            StoreError(
              .limitExceeded,
              "\(place): expected the numbers of slices, 0 to \(last), found \(slices[index]);"
                + " none was released."))
        }
        deaths[index] = Int(count)
      }
      return .success(deaths)
    }
  }
#endif
