// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumPrimitives

  /// One of the connections that save, as it is used by a node behind a fence; a session always has
  /// the same, so that its changes are in order.
  struct SavingLane: Sendable {
    let line: PostgresLine
    let name: String
    let node: Int32
    /// The database's mark of the process that is the node.
    let run: Int64
    let fence: Int32

    /// What a call has come to.
    enum Outcome: Sendable {
      case saved
      /// Another fence is in force.
      case fenceMoved
      /// The connection is a new one; nothing was called.
      case newConnection
      /// Something in it cannot be written.
      case unwritable(PostgresFailure)
    }

    /// What a connection carries from when it is made until it is first used.
    private final class Novelty: Sendable {
      let isNew = Guarded(false)
    }

    /// Makes a call.
    ///
    /// - Throws: What the server refuses, or that it cannot be reached: then the call may have
    ///   taken effect, and can be made again.
    func save(_ call: SaveCall) async throws(PostgresFailure) -> Outcome {
      let novelty = Novelty()
      let (name, node, run, fence) = (name, node, run, fence)
      do throws(PostgresFailure) {
        return try await line.run { (connection) throws(PostgresFailure) in
          // What a connection that broke may still do comes to nothing from here on.
          var parameters = PostgresParameters()
          parameters.add(node)
          parameters.add(run)
          parameters.add(name)
          try connection.call("SELECT proscenium.refence_1($1, $2, $3)", parameters)
          novelty.isNew.withLock { $0 = true }
        } _: { (connection) throws(PostgresFailure) in
          if novelty.isNew.withLock({ $0 }) { return .newConnection }
          let saved = try connection.call(
            SaveCall.statement, call.parameters(of: node, behind: fence))
          return saved.boolean(0, 0) ? .saved : .fenceMoved
        }
      } catch {
        if error.concernsContent { return .unwritable(error) }
        throw error
      }
    }
  }
#endif
