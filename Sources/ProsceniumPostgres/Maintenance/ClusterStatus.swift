// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium

  /// The nodes and the slices of a cluster, as its database knows them at one moment.
  public struct ClusterStatus: Sendable, Equatable {
    /// One run of a process that has joined.
    public struct Node: Sendable, Equatable {
      /// What becomes of a node's slices.
      public enum State: String, Sendable {
        /// It keeps them.
        case live
        /// It gives them away.
        case draining
        /// It was buried: other nodes have them.
        case dead
      }

      /// Its number, which is never given again.
      public let number: Int32
      /// What it is called where people see it.
      public let name: String
      /// Where its clients find it.
      public let address: String
      /// The build of its program.
      public let build: Int32
      /// What becomes of its slices.
      public let state: State
      /// How many slices it owns.
      public let slices: Int
      /// How old its last sign of life is, by the server's clock; before the first one, how long
      /// ago it joined.
      ///
      /// Nothing is decided by it.
      public let silence: Duration
      /// When it joined, by the server's clock: a date as ISO 8601 writes it, in UTC.
      public let joined: String

      /// Whether it was not heard of for longer than any node is that is well, 5 s, and was not
      /// buried.
      public var isSilent: Bool { state != .dead && silence > ClusterStatus.patience }
    }

    /// A slice whose owners died.
    public struct Deaths: Sendable, Equatable {
      /// The slice.
      public let slice: Int
      /// How many of its owners died, each within ten minutes of the last.
      public let count: Int
      /// The number of the node that owns it now, if one does.
      public let owner: Int32?
    }

    /// The format of the tables.
    public let format: Int
    /// The number of the map, which grows with each change of an owner.
    public let map: Int64
    /// The nodes by their numbers; dead ones until the next node leaves in order.
    public let nodes: [Node]
    /// How many slices there are.
    public let slices: Int
    /// How many slices no node owns.
    public let freeSlices: Int
    /// The slices whose owners died, by their numbers.
    public let deaths: [Deaths]
    /// How often each slice has got an owner since the store was made.
    package let epochs: [Int]
    /// How many sessions there are.
    public let sessions: Int
    /// How many bytes the tables of the sessions and their indices have.
    public let bytes: Int

    /// How long a node that is well is silent at most.
    static let patience = Duration.seconds(5)

    /// How often slices have got an owner since the store was made: those of the dead among them.
    public var moves: Int { epochs.reduce(0, +) }

    /// How many slices have an owner that was not buried.
    public var ownedSlices: Int { slices - freeSlices - slicesOfTheDead }

    /// How many slices are owned by nodes that were buried.
    ///
    /// It is 0 but for a database that was changed by hand: a burial deals all slices of a node.
    public var slicesOfTheDead: Int {
      nodes.filter { $0.state == .dead }.reduce(0) { $0 + $1.slices }
    }

    /// The slices that are owned and not served, since their owners died one after the other.
    ///
    /// - Parameter limit: How many owners may die until a slice is parked, as
    ///   ``ClusterSettings/deathLimit`` of the nodes says.
    /// - Returns: Those slices, by their numbers.
    public func parked(after limit: Int = 3) -> [Deaths] {
      deaths.filter { $0.count >= max(1, limit) }
    }

    /// Reads the status, also while nodes run.
    ///
    /// - Parameter address: Where the database is, as ``PostgresAuthority`` takes it.
    /// - Returns: Everything as of one moment.
    /// - Throws: `unusable` if there is no store; `newerVersion`; what the server refuses.
    public static func read(_ address: String) async throws(StoreError) -> ClusterStatus {
      let view = try await PostgresView(address, key: nil)
      do throws(StoreError) {
        let status = try await view.call { (connection) throws(PostgresFailure) in
          try ClusterStatus(connection)
        }
        await view.close()
        return status
      } catch {
        await view.close()
        throw error
      }
    }

    private init(_ connection: PostgresConnection) throws(PostgresFailure) {
      let rows = try connection.call("SELECT * FROM proscenium.slice_status_1()")
      slices = rows.count
      var owned: [Int32: Int] = [:]
      var free = 0
      var deaths: [Deaths] = []
      epochs = (0..<rows.count).map { Int(rows.integer($0, 3)) }
      for row in 0..<rows.count {
        let owner = rows.integerOrNull(row, 1).map { Int32(truncatingIfNeeded: $0) }
        if let owner { owned[owner, default: 0] += 1 } else { free += 1 }
        let count = Int(rows.integer(row, 2))
        if count > 0 {
          deaths.append(Deaths(slice: Int(rows.integer(row, 0)), count: count, owner: owner))
        }
      }
      freeSlices = free
      self.deaths = deaths
      let nodes = try connection.call("SELECT * FROM proscenium.node_status_1()")
      self.nodes = (0..<nodes.count).map { row in
        let number = Int32(truncatingIfNeeded: nodes.integer(row, 0))
        return Node(
          number: number, name: nodes.text(row, 1) ?? "", address: nodes.text(row, 2) ?? "",
          build: Int32(truncatingIfNeeded: nodes.integer(row, 3)),
          state: Node.State(code: nodes.text(row, 4)), slices: owned[number] ?? 0,
          // Below 0 if the server's clock was set back.
          silence: max(.zero, .milliseconds(nodes.integer(row, 5))),
          joined: nodes.text(row, 6) ?? "")
      }
      format = try PostgresSchema.format(of: connection)
      map = try connection.call("SELECT map FROM proscenium.cluster_1()").integer(0, 0)
      let totals = try connection.call("SELECT sessions, bytes FROM proscenium.totals_1()")
      sessions = Int(totals.integer(0, 0))
      bytes = Int(totals.integer(0, 1))
    }
  }

  extension ClusterStatus.Node.State {
    /// The state that the table of nodes has a letter for.
    fileprivate init(code: String?) {
      switch code {
      case "x": self = .dead
      case "d": self = .draining
      default: self = .live
      }
    }
  }
#endif
