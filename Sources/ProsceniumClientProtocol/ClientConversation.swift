// SPDX-License-Identifier: Apache-2.0

package import Proscenium
import ProsceniumPrimitives

/// What a client and its host say to each other over one connection: each message of the client is
/// done, and each output of its line becomes a message.
///
/// What the client says is heard by one task at a time, and what it is told is asked for by one.
package final class ClientConversation: Sendable {
  private struct State: Sendable {
    var client: SceneClient?
    var welcome: ClientWelcome?
    var isWelcomed = false
  }

  private let application: Application
  private let form: MessageForm
  private let user: String?
  private let findSession: @Sendable (ClientHello) async throws(SceneError) -> SessionIdentifier?
  private let state = Guarded(State())

  /// Begins a conversation.
  ///
  /// - Parameters:
  ///   - application: The application, which is running.
  ///   - form: The form of the messages, both ways.
  ///   - user: The user in whose name the client comes; `nil` for none.
  ///   - findSession: Finds the session that the client wants, as for ``ClientHost``.
  package init(
    _ application: Application, in form: MessageForm, of user: String?,
    findSession:
      @escaping @Sendable (
        ClientHello
      ) async throws(SceneError) -> SessionIdentifier?
  ) {
    self.application = application
    self.form = form
    self.user = user
    self.findSession = findSession
  }

  /// The client, once it has a line.
  package var client: SceneClient? { state.withLock { $0.client } }

  /// The connection has ended.
  package func end() {
    let client = state.withLock { state in
      defer { state.client = nil }
      return state.client
    }
    client?.detach()
  }

  // MARK: - What the client says

  /// Does what a message says; returns how the line ends, if it does.
  package func hear(_ bytes: ArraySlice<UInt8>) async -> LineClosing? {
    do throws(ClientProtocolError) {
      guard let message = try form.read(bytes) else {
        return isKnown ? nil : LineClosing(.unreadable)
      }
      if let client { return await take(message, of: client) }
      guard case .hello(let hello) = message else { return LineClosing(.unreadable) }
      return await attach(hello)
    } catch {
      return LineClosing(
        error.isVersion && !isKnown ? .unsupportedVersion(ClientHello.version) : .unreadable)
    }
  }

  private var isKnown: Bool { client != nil }

  private func attach(_ hello: ClientHello) async -> LineClosing? {
    do throws(SceneError) {
      guard let session = try await findSession(hello) else { return LineClosing(.sessionEnded) }
      let client = try await application.attach(
        to: session, as: hello.client, of: user, lastSeen: hello.lastSeen,
        nextInput: hello.nextInput, isVisible: hello.isVisible, watches: hello.watches)
      state.withLock { state in
        state.client = client
        state.welcome = ClientWelcome(
          epoch: client.epoch, lastInput: client.lastInput, reset: client.reset,
          watches: client.watches)
      }
      return nil
    } catch {
      return LineClosing(after: error)
    }
  }

  private func take(_ message: ClientMessage, of client: SceneClient) async -> LineClosing? {
    do throws(SceneError) {
      switch message {
      case .hello: return LineClosing(.unreadable)
      case .input(let number, let content): try await client.send(content, number: number)
      case .ack(let count):
        try client.acknowledge(FrameNumber(epoch: client.epoch, count: count))
      case .visible(let isVisible): client.setVisible(isVisible)
      }
      return nil
    } catch {
      let closing = LineClosing(after: error)
      // Why the line of a user has ended is told by its last output.
      if case .input = message, closing.end == .refused, !client.watches { return nil }
      return closing
    }
  }

  // MARK: - What the client is told

  /// What ``next(orNotify:)`` has found.
  package enum Found: Sendable {
    case message([UInt8])
    /// There is nothing now.
    case nothing
    /// The line has ended, and the client is to be told so if it does not know it.
    case ended(LineClosing?)
  }

  /// Takes the next message for the client, without waiting.
  ///
  /// - Parameter notify: Called once when there is something again; only if there is nothing now.
  /// - Returns: What there is.
  package func next(orNotify notify: @escaping @Sendable () -> Void) async -> Found {
    if let welcome = takeWelcome() { return .message(form.message(.welcome(welcome))) }
    guard let client else { return .nothing }
    switch await client.take(orNotify: notify) {
    case .nothing: return .nothing
    case .over: return .ended(nil)
    case .output(let output): return found(output)
    }
  }

  /// Waits for the next message for the client, which has a line.
  package func next() async -> Found {
    if let welcome = takeWelcome() { return .message(form.message(.welcome(welcome))) }
    guard let client, let output = await client.next() else { return .ended(nil) }
    return found(output)
  }

  private func takeWelcome() -> ClientWelcome? {
    state.withLock { state in
      guard let welcome = state.welcome, !state.isWelcomed else { return nil }
      state.isWelcomed = true
      return welcome
    }
  }

  private func found(_ output: SceneClient.Output) -> Found {
    switch output {
    case .frame(let frame): return .message(form.message(.frame(frame)))
    case .acknowledged(let number):
      state.withLock { $0.welcome?.lastInput = number }
      return .message(form.message(.acknowledged(number)))
    case .reset(let reset):
      let welcome = state.withLock { state in
        state.welcome?.reset = reset
        return state.welcome
      }
      return welcome.map { .message(form.message(.welcome($0))) } ?? .nothing
    case .ended(let reason): return .ended(LineClosing(after: reason))
    }
  }
}
