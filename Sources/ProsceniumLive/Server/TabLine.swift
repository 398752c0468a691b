// SPDX-License-Identifier: Apache-2.0

#if Live
  import Proscenium
  import ProsceniumClientProtocol

  /// What a task does for the line of a tab: all that is due, and no more.
  struct TabLine: Sendable {
    let connection: LiveConnection
    /// Where pages find the lines of other nodes, by these nodes' addresses.
    let lineOfNode: (@Sendable (String) -> String?)?

    /// Does what is due, until nothing is.
    func run() async {
      while connection.beginTurn() {
        guard let conversation = connection.conversation else { continue }
        await hear(conversation)
        await tell(conversation)
        if connection.isEnded { connection.takeConversation()?.end() }
      }
    }

    /// Does what the tab says.
    private func hear(_ conversation: ClientConversation) async {
      while let message = connection.takeMessage() {
        if let closing = await conversation.hear(message[...]) { return finish(closing) }
        // A tab that says much is told in between what is new.
        await tell(conversation)
      }
    }

    /// Tells the tab what is new, as far as the socket takes it.
    private func tell(_ conversation: ClientConversation) async {
      while connection.hasRoom, !connection.isEnded {
        switch await conversation.next(orNotify: { [connection] in connection.wake() }) {
        case .message(let message): connection.tell(message)
        case .nothing: return
        case .ended(let closing): return finish(closing)
        }
      }
    }

    private func finish(_ closing: LineClosing?) {
      // To a tab, an address is a session's; what it needs is a path of its own site.
      if let address = closing?.address, let path = lineOfNode?(address) {
        connection.send(Array("line \(path)".utf8))
      }
      if let end = closing?.end { connection.send(HostMessage.end(end).text) }
      connection.close(.normal)
    }
  }

  /// Finds the sessions that tabs want.
  struct TabSessions: Sendable {
    /// How often it is looked whether a session that was not served is now, and for how long: a
    /// page takes a line for lost on which nothing comes for 10 s.
    private static let (pause, patience) = (Duration.milliseconds(100), Duration.seconds(8))

    let application: Application
    let settings: LiveSettings
    let elapsed: @Sendable () -> Duration
    let causes: CauseLog

    /// The conversation of a tab that comes with a token; a tab waits in it for its session.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - lost: By which path the tab did not reach the node that serves its session.
    ///   - connection: Its connection.
    /// - Returns: The conversation, which has not begun.
    func conversation(
      _ token: LiveToken, lost: String?, _ connection: LiveConnection
    ) -> ClientConversation {
      ClientConversation(application, in: .text, of: token.owner) {
        [self] hello throws(SceneError) in
        let end = elapsed() + Self.patience
        while true {
          do throws(SceneError) {
            return try await session(hello, token, connection)
          } catch {
            guard isPassing(error, lost: lost), !connection.isEnded, elapsed() < end,
              (try? await settings.clock.sleep(for: Self.pause)) != nil
            else { throw error }
          }
        }
      }
    }

    /// Whether it is soon otherwise: the session is on its way, or the others are about to bury the
    /// node that has it, since that is not reached.
    private func isPassing(_ error: SceneError, lost: String?) -> Bool {
      if error.code == .systemBusy { return error.retryAfter.map { $0 < .seconds(1) } ?? false }
      guard let lost, error.code == .servedElsewhere, let address = error.address else {
        return false
      }
      return settings.lineOfNode?(address) == lost
    }

    /// The session that a tab wants, or a new one.
    private func session(
      _ hello: ClientHello, _ token: LiveToken, _ connection: LiveConnection
    ) async throws(SceneError) -> SessionIdentifier? {
      if hello.address.isEmpty, token.session == nil {
        return try await newSession(token, connection)
      }
      let wanted = hello.address.isEmpty ? token.session : SessionIdentifier(hello.address)
      guard let identifier = wanted else { return nil }
      guard let session = application.session(identifier) else {
        throw application.slices.reasonNotOpen(identifier)
      }
      guard token.session ?? identifier == identifier, session.owner == token.owner else {
        causes.note(.foreignSession)
        connection.close(.foreignSession)
        return nil
      }
      return identifier
    }

    private func newSession(
      _ token: LiveToken, _ connection: LiveConnection
    ) async throws(SceneError) -> SessionIdentifier {
      let session = try await application.host.newSession(settings.role, owner: token.owner).id
      connection.send(HostMessage.move("\(session)").text)
      return session
    }
  }
#endif
