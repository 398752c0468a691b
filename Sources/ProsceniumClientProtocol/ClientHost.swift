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
    let (clients, attached) = AsyncStream.makeStream(of: SceneClient.self)
    let end = await withTaskGroup(of: ClientEnd?.self) { group in
      group.addTask {
        defer { attached.finish() }
        return await read(messages, form, user, attached)
      }
      group.addTask {
        for await client in clients { return await Self.write(client, form, send) }
        return nil
      }
      // Whichever of the two ends first ends the other one.
      var end = await group.next() ?? nil
      group.cancelAll()
      while let other = await group.next() { end = end ?? other }
      return end
    }
    if let end { try? await send(form.message(.end(end))) }
  }

  // MARK: - Reading

  /// Does what a client says; returns why its line ends, if its connection has not ended.
  private func read<Messages: AsyncSequence & Sendable>(
    _ messages: Messages, _ form: MessageForm, _ user: String?,
    _ attached: AsyncStream<SceneClient>.Continuation
  ) async -> ClientEnd? where Messages.Element == ArraySlice<UInt8> {
    var client: SceneClient?
    defer { client?.detach() }
    do {
      for try await bytes in messages {
        if let client {
          if let end = await take(bytes, form, of: client) { return end }
          continue
        }
        switch await welcome(bytes, form, user) {
        case .success(let welcomed):
          client = welcomed
          attached.yield(welcomed)
        case .failure(let refused): return refused.end
        }
      }
    } catch {
      // The connection has ended.
    }
    return nil
  }

  private struct Refused: Error {
    let end: ClientEnd
  }

  /// Attaches the client of the first message.
  private func welcome(
    _ bytes: ArraySlice<UInt8>, _ form: MessageForm, _ user: String?
  ) async -> Result<SceneClient, Refused> {
    do throws(ClientProtocolError) {
      guard case .hello(let hello)? = try form.read(bytes) else {
        return .failure(Refused(end: .unreadable))
      }
      return await attach(hello, user)
    } catch {
      return .failure(
        Refused(end: error.isVersion ? .unsupportedVersion(ClientHello.version) : .unreadable))
    }
  }

  private func attach(
    _ hello: ClientHello, _ user: String?
  ) async -> Result<SceneClient, Refused> {
    do throws(SceneError) {
      guard let session = try await findSession(hello) else {
        return .failure(Refused(end: .sessionEnded))
      }
      return .success(
        try await application.attach(
          to: session, as: hello.client, of: user, lastSeen: hello.lastSeen,
          nextInput: hello.nextInput, isVisible: hello.isVisible, watches: hello.watches))
    } catch {
      return .failure(Refused(end: ClientEnd(error)))
    }
  }

  /// Does what a message of an attached client says; returns why its line ends, if it does.
  private func take(
    _ bytes: ArraySlice<UInt8>, _ form: MessageForm, of client: SceneClient
  ) async -> ClientEnd? {
    do throws(ClientProtocolError) {
      switch try form.read(bytes) {
      case nil: return nil
      case .hello?: return .unreadable
      case .input(let number, let content)?:
        let end = await Self.refusal { () async throws(SceneError) in
          try await client.send(content, number: number)
        }
        // Why the line of a user has ended is told by what writes.
        return end == .refused && !client.watches ? nil : end
      case .ack(let count)?:
        return await Self.refusal { () async throws(SceneError) in
          try client.acknowledge(FrameNumber(epoch: client.epoch, count: count))
        }
      case .visible(let isVisible)?:
        client.setVisible(isVisible)
        return nil
      }
    } catch {
      return .unreadable
    }
  }

  private static func refusal(
    of body: () async throws(SceneError) -> Void
  ) async -> ClientEnd? {
    do throws(SceneError) {
      try await body()
      return nil
    } catch {
      return ClientEnd(error)
    }
  }

  // MARK: - Writing

  /// Tells a client everything that its line has for it; returns why the line has ended.
  private static func write(
    _ client: SceneClient, _ form: MessageForm, _ send: @Sendable ([UInt8]) async throws -> Void
  ) async -> ClientEnd? {
    var welcome = ClientWelcome(
      epoch: client.epoch, lastInput: client.lastInput, reset: client.reset,
      watches: client.watches)
    do {
      try await send(form.message(.welcome(welcome)))
      while let output = await client.next() {
        switch output {
        case .frame(let frame): try await send(form.message(.frame(frame)))
        case .acknowledged(let number):
          welcome.lastInput = number
          try await send(form.message(.acknowledged(number)))
        case .reset(let reset):
          welcome.reset = reset
          try await send(form.message(.welcome(welcome)))
        case .ended(let reason): return ClientEnd(reason)
        }
      }
    } catch {
      // The connection has ended.
    }
    return nil
  }
}

extension ClientEnd {
  init(_ error: SceneError) {
    switch error.code {
    case .clientRefused: self = .refused
    case .sessionNotOpen, .lost, .connectionFailed, .unresolvableConfiguration:
      self = .sessionEnded
    case .notRunning: self = .hostEnded
    case .limitExceeded: self = .unreadable
    default: self = .busy
    }
  }

  init(_ end: LineEnd) {
    switch end {
    case .takenOver: self = .takenOver
    case .sessionEnded: self = .sessionEnded
    case .applicationEnded: self = .hostEnded
    case .wrongInput(let expected): self = .wrongInput(expected: expected)
    case .outputTooLarge: self = .outputTooLarge
    }
  }
}
