// SPDX-License-Identifier: Apache-2.0

#if Live
  import Proscenium
  import ProsceniumClientProtocol

  /// The line of a tab: it finds the tab's session, and serves it.
  struct TabLine: Sendable {
    let application: Application
    let role: SceneSession.Role
    let token: LiveToken
    let causes: CauseLog
    let connection: LiveConnection

    /// Serves until the line or the connection ends.
    func serve() async {
      let host = ClientHost(application) { hello throws(SceneError) in try await session(hello) }
      let messages = ConnectionMessages(connection: connection)
      await host.serve(messages, in: .text, of: token.owner) { try await connection.send($0) }
      connection.close(Task.isCancelled ? .goingAway : .normal)
    }

    /// The session that a tab wants, or a new one.
    private func session(_ hello: ClientHello) async throws(SceneError) -> SessionIdentifier? {
      if hello.address.isEmpty, token.session == nil { return try await newSession() }
      let wanted = hello.address.isEmpty ? token.session : SessionIdentifier(hello.address)
      guard let identifier = wanted else { return nil }
      guard let session = application.session(identifier) else { return nil }
      guard token.session ?? identifier == identifier, session.owner == token.owner else {
        causes.note(.foreignSession)
        connection.close(.foreignSession)
        return nil
      }
      return identifier
    }

    private func newSession() async throws(SceneError) -> SessionIdentifier {
      let session = try await application.host.newSession(role, owner: token.owner)
      connection.tell("move \(session.persistentIdentifier)")
      return session.persistentIdentifier
    }
  }
#endif
