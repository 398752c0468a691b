// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// What connects the nodes of a cluster.
  package protocol LinkNetwork: Sendable {
    /// Begins to listen.
    ///
    /// - Parameter take: Is given each connection that another node opens, from then on.
    /// - Returns: Where the others reach this node, and how they know it.
    /// - Throws: What the system refuses.
    func open(
      _ take: @escaping @Sendable (any LinkConnection) -> Void
    ) async throws -> LinkIdentity

    /// Opens a connection with a node.
    ///
    /// - Throws: `LinkFault` if it is not reached.
    func connect(to member: ClusterMember) async throws(LinkFault) -> any LinkConnection

    /// Listens no more, and ends all connections.
    func close() async
  }

  /// A connection between two nodes, on which one task reads and one writes.
  package protocol LinkConnection: AnyObject, Sendable {
    /// What the certificate of the other process is known by, for which that has shown the key.
    var fingerprint: [UInt8] { get }

    /// Writes bytes, and waits as long as too many wait to be sent.
    ///
    /// - Throws: `LinkFault` if the connection has ended.
    func write(_ bytes: [UInt8]) async throws(LinkFault)

    /// Waits for a frame.
    ///
    /// - Parameter limit: The largest frame that is taken, in bytes, without its length.
    /// - Returns: The frame without its length; `nil` at the end of the connection.
    /// - Throws: `LinkFault` if the connection breaks, or for a frame that is too large.
    func read(upTo limit: Int) async throws(LinkFault) -> [UInt8]?

    /// Ends the connection; whatever waits on it ends as well.
    func close()
  }
#endif
