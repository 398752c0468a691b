// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium
  import ProsceniumStoring

  /// Which nodes a cluster has, and which slices they own, as the database says.
  public struct ClusterStatus: Sendable {
    /// A node.
    public struct Node: Sendable {
      /// What a node is.
      public enum State: String, Sendable {
        /// It takes part.
        case live
        /// It gives its slices away.
        case draining
        /// It was buried: others go on with its sessions.
        case dead
      }

      /// Its number, which is never given again.
      public let number: Int32
      /// What it is called.
      public let name: String
      /// Where its clients find it.
      public let address: String
      /// The build of its program.
      public let build: Int32
      /// What it is.
      public let state: State
      /// How many slices it owns.
      public let slices: Int
      /// How long ago it was heard of, by the server's clock.
      ///
      /// It decides nothing.
      public let age: Duration
    }

    /// The nodes, those that are dead included as long as the database remembers them.
    public let nodes: [Node]
    /// How many slices there are.
    public let slices: Int
    /// How many of them have no owner.
    public let free: Int
    /// The slices whose owners died in the last time, and how many did.
    public let deaths: [(slice: Int, count: Int)]
    /// How often owners have changed.
    public let map: Int64

    /// How many slices nodes own that are dead.
    public var lost: Int {
      nodes.filter { $0.state == .dead }.reduce(0) { $0 + $1.slices }
    }

    /// Reads the status.
    ///
    /// - Parameter address: Where the database is, as ``PostgresSessionStore`` takes it.
    /// - Returns: The status as of one moment.
    /// - Throws: `unusable` if there is no store; `newerVersion`; what the server refuses.
    public static func read(_ address: String) async throws(StoreError) -> ClusterStatus {
      let view = try await PostgresView(address, key: nil)
      let status = await Result { () async throws(StoreError) in
        try await view.call { (connection) throws(PostgresFailure) in
          try ClusterStatus(connection)
        }
      }
      await view.close()
      return try status.get()
    }

    private init(_ connection: PostgresConnection) throws(PostgresFailure) {
      let nodes = try connection.call("SELECT * FROM proscenium.status_1()")
      self.nodes = (0..<nodes.count).map { row in
        let state: Node.State =
          switch nodes.text(row, 4) {
          case "x": .dead
          case "d": .draining
          default: .live
          }
        return Node(
          number: Int32(truncatingIfNeeded: nodes.integer(row, 0)), name: nodes.text(row, 1) ?? "",
          address: nodes.text(row, 2) ?? "",
          build: Int32(truncatingIfNeeded: nodes.integer(row, 3)), state: state,
          slices: Int(nodes.integer(row, 5)), age: .milliseconds(nodes.integer(row, 6)))
      }
      let deaths = try connection.call("SELECT * FROM proscenium.deaths_1()")
      self.deaths = (0..<deaths.count).map {
        (slice: Int(deaths.integer($0, 0)), count: Int(deaths.integer($0, 1)))
      }
      let counts = try connection.call("SELECT * FROM proscenium.slice_counts_1()")
      map = counts.integer(0, 0)
      slices = Int(counts.integer(0, 1))
      free = Int(counts.integer(0, 2))
    }

    /// Lets a slice be served again whose owners died one after the other.
    ///
    /// - Parameters:
    ///   - slice: The number of the slice.
    ///   - address: Where the database is.
    /// - Returns: How many owners had died; 0 if the slice was not parked.
    /// - Throws: `limitExceeded` if there is no such slice; `unusable`; what the server refuses.
    public static func release(
      _ slice: Int, at address: String
    ) async throws(StoreError) -> Int {
      let address = try PostgresAddress(address)
      let line = PostgresLine(
        address, named: "proscenium release", on: LineExecutor("proscenium.postgres.release"),
        PostgresStoreOptions())
      let deaths: Result<Int64?, StoreError>
      do throws(PostgresFailure) {
        deaths = .success(
          try await line.run { (connection) throws(PostgresFailure) in
            var parameters = PostgresParameters()
            parameters.add(Int32(clamping: slice))
            return try connection.call("SELECT proscenium.release_1($1)", parameters)
              .integerOrNull(0, 0)
          })
      } catch {
        deaths = .failure(error.error(at: address.place))
      }
      await line.close()
      guard let deaths = try deaths.get() else {
        throw StoreError(
          .limitExceeded,
          "\(address.place): expected the number of a slice, 0 to 1023 as a rule, found \(slice).")
      }
      return Int(deaths)
    }
  }

  extension Result where Success: Sendable {
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
      do throws(Failure) {
        self = .success(try await body())
      } catch {
        self = .failure(error)
      }
    }
  }
#endif
