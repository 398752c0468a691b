// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// Serves clients that speak the client protocol, over any transport that has messages.
///
/// ```swift
/// let host = ClientHost(application) { SessionIdentifier($0.address) }
/// await host.serve(socket.messages) { try await socket.send($0) }
/// ```
public struct ClientHost: Sendable {
  private let application: Application
  private let findSession: @Sendable (ClientHello) async throws(SceneError) -> SessionIdentifier?

  /// Makes a host.
  ///
  /// - Parameters:
  ///   - application: The application, which is running.
  ///   - findSession: Finds the session that a client wants, or makes one; nil if there is none.
  ///     An error ends the line as it does when a client attaches.
  public init(
    _ application: Application,
    findSession:
      @escaping @Sendable (
        ClientHello
      ) async throws(SceneError) -> SessionIdentifier?
  ) {
    self.application = application
    self.findSession = findSession
  }

  /// Serves one client, until its line or its connection ends; then the transport is to be closed.
  ///
  /// A client whose connection ends without a word keeps its place for as long as ``ClientRules``
  /// says. What cannot be read of a client ends its line with ``ClientEnd/unreadable``.
  ///
  /// - Parameters:
  ///   - messages: What comes from the client, message by message. Its end, or an error, is the end
  ///     of the connection. It has to heed the cancellation of the task that reads it.
  ///   - form: The form of the messages, both ways.
  ///   - user: The user in whose name the client comes, as the transport knows it; `nil` for none.
  ///   - send: Sends a message to the client, and returns when there is room for the next one: a
  ///     client that does not read holds up nothing else. An error is the end of the connection.
  public func serve<Messages: AsyncSequence & Sendable>(
    _ messages: Messages, in form: MessageForm = .bytes, of user: String? = nil,
    send: @escaping @Sendable ([UInt8]) async throws -> Void
  ) async where Messages.Element == ArraySlice<UInt8> {
    let conversation = ClientConversation(
      application, in: form, of: user, findSession: findSession)
    defer { conversation.end() }
    let (line, attached) = AsyncStream.makeStream(of: Never.self)
    let closing = await withTaskGroup(of: LineClosing?.self) { group in
      group.addTask {
        defer { attached.finish() }
        return await Self.read(messages, conversation, attached)
      }
      group.addTask {
        for await _ in line {}
        return conversation.client == nil ? nil : await Self.write(conversation, send)
      }
      // Whichever of the two ends first ends the other one.
      var closing = await group.next() ?? nil
      group.cancelAll()
      while let other = await group.next() { closing = closing ?? other }
      return closing
    }
    for message in closing?.messages ?? [] { try? await send(form.message(message)) }
  }

  /// Does what a client says; returns how its line ends, if its connection has not ended.
  private static func read<Messages: AsyncSequence & Sendable>(
    _ messages: Messages, _ conversation: ClientConversation,
    _ attached: AsyncStream<Never>.Continuation
  ) async -> LineClosing? where Messages.Element == ArraySlice<UInt8> {
    do {
      for try await bytes in messages {
        if let closing = await conversation.hear(bytes) { return closing }
        attached.finish()
      }
    } catch {
      // The connection has ended.
    }
    conversation.end()
    return nil
  }

  /// Tells a client everything that its line has for it; returns how the line has ended.
  private static func write(
    _ conversation: ClientConversation, _ send: @Sendable ([UInt8]) async throws -> Void
  ) async -> LineClosing? {
    do {
      while true {
        switch await conversation.next() {
        case .message(let message): try await send(message)
        case .ended(let closing): return closing
        case .nothing: return nil
        }
      }
    } catch {
      // The connection has ended.
      return nil
    }
  }
}
