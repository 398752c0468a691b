// SPDX-License-Identifier: Apache-2.0

/// Lets other processes carry out requests for the sessions that they serve, or are to make.
struct RequestForwarding: Sendable {
  private let core: ApplicationCore
  private let neighbours: Neighbours

  /// Nothing if no other process can be reached.
  init?(_ core: ApplicationCore) {
    guard let neighbours = core.neighbours else { return nil }
    self.core = core
    self.neighbours = neighbours
  }

  /// Lets another process carry out a request, if that serves the session, or is to make it.
  ///
  /// - Parameters:
  ///   - command: The request.
  ///   - reporting: Where its outcome is reported, if another process takes it.
  /// - Returns: What became of it.
  /// - Throws: `limitExceeded` if it is too large for another process.
  func forward(
    _ command: Command, _ reporting: Reporting
  ) throws(SceneError) -> Forwarding {
    guard let request = command.forwarded, let session = address(of: command) else {
      return .notElsewhere
    }
    return try neighbours.forward(
      .request(request) { [states = core.directory.states] result in
        reporting.finish(result.map { $0.map { SceneSession(elsewhere: $0, states) } })
      }, session)
  }

  /// Waits until another process may have room for a request.
  func waitForRoom(for command: Command) async {
    guard let session = address(of: command) else { return }
    await neighbours.waitForRoom(session)
  }

  /// Whether the session of a request that was refused is open all the same: it has come from
  /// another process after it was looked for, and before it was asked who serves it.
  func hasCome(_ command: Command, _ error: SceneError) -> Bool {
    guard error.code == .sessionNotOpen, let session = command.session else { return false }
    return core.directory.isOpen(session)
  }

  /// The session that a request is about, or an identifier of the place where it makes one.
  private func address(of command: Command) -> SessionIdentifier? {
    if let session = command.session { return session }
    guard let placement = command.placement else { return nil }
    return neighbours.place(placement)
  }
}

extension Reporting {
  /// Reports what another process has answered.
  fileprivate func finish(_ result: Result<SceneSession?, SceneError>) {
    switch (result, ticket) {
    case (.failure(let error), _): fail(error)
    case (.success(let session?), let ticket): ticket?.succeed(session)
    case (.success(nil), .completion(let ticket)): ticket.answer(.success(()))
    case (.success(nil), nil): break
    case (.success(nil), .session):
      fail(SceneError(.notDecodable, "expected a session from another process, found none"))
    }
  }
}
