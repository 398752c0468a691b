// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumStoring

  /// One of the connections that save; a session always has the same, so that its changes are in
  /// order.
  struct SavingLane: Sendable {
    private let line: PostgresLine
    private let name: String
    private let ownership: StoreOwnership

    /// What a call has come to.
    private enum Outcome: Sendable {
      case saved
      case buried
      /// Something in it cannot be written.
      case unwritable(PostgresFailure)
    }

    /// How often it is tried again with a fence that has just been read: each time another lane's
    /// connection must have broken.
    private static let attempts = 16

    init(_ number: Int, _ ownership: StoreOwnership, _ options: PostgresStoreOptions) {
      name = "lane\(number)"
      self.ownership = ownership
      line = PostgresLine(
        ownership.address, named: "proscenium",
        on: LineExecutor("proscenium.postgres.lane\(number)"), options)
    }

    /// Gives the connections the name of a node.
    func join(as node: Int32) async {
      await line.rename(StoreOwnership.name(of: name, node: node))
    }

    func close() async {
      await line.close()
    }

    /// Saves what a call brings, one session after the other if something in it cannot be written.
    ///
    /// - Returns: The sessions of which nothing was written, and why.
    /// - Throws: What the server refuses, or that it cannot be reached: then the call may have
    ///   taken effect, and can be made again.
    func save(
      _ call: SaveCall, each: (SessionDraft) -> SaveCall
    ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
      switch try await outcome(of: call) {
      case .saved: return [:]
      case .buried:
        ownership.noteDeath()
        return Dictionary(
          uniqueKeysWithValues: call.drafts.map { ($0.session, ownership.fenced($0.session)) })
      case .unwritable(let failure) where call.drafts.count <= 1:
        let error = failure.error(at: ownership.address.place)
        return Dictionary(
          uniqueKeysWithValues: call.drafts.map { draft in
            (draft.session, StoreError(error.code, session: draft.session, error.message))
          })
      case .unwritable:
        var refusals: [SessionIdentifier: StoreError] = [:]
        for draft in call.drafts {
          refusals.merge(try await save(each(draft), each: each)) { first, _ in first }
        }
        return refusals
      }
    }

    private func outcome(of call: SaveCall) async throws(StoreError) -> Outcome {
      guard let node = ownership.node else { return .buried }
      let (ownership, name) = (ownership, name)
      do throws(PostgresFailure) {
        return try await line.run { (connection) throws(PostgresFailure) in
          // What a connection that broke may still do comes to nothing from here on.
          var parameters = PostgresParameters()
          parameters.add(node)
          parameters.add(name)
          let fence = try connection.call("SELECT proscenium.refence_1($1, $2)", parameters)
          if let fence = fence.integerOrNull(0, 0) { ownership.note(fence: Int32(fence), of: node) }
        } _: { (connection) throws(PostgresFailure) in
          try Self.save(call, as: node, ownership, connection)
        }
      } catch {
        if error.concernsContent { return .unwritable(error) }
        throw error.error(at: ownership.address.place)
      }
    }

    private static func save(
      _ call: SaveCall, as node: Int32, _ ownership: StoreOwnership,
      _ connection: PostgresConnection
    ) throws(PostgresFailure) -> Outcome {
      for _ in 0..<attempts {
        let saved = try connection.call(
          SaveCall.statement, call.parameters(of: node, behind: ownership.fence))
        if saved.boolean(0, 0) { return .saved }
        if try ownership.readFence(of: node, on: connection) == nil { return .buried }
      }
      throw PostgresFailure(.refused, "the fence of node \(node) moved again and again")
    }
  }
#endif
