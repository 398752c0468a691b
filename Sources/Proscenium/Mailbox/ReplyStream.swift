// SPDX-License-Identifier: Apache-2.0

/// The scene's end of a reply that comes in pieces.
///
/// A delegate keeps it for as long as it replies, and hands it to the work that it starts. If the
/// last reference goes before ``finish()``, the caller is told that the rest is `lost`: with the
/// scene, for example.
public final class ReplyStream: Sendable {
  /// How many pieces may wait for the caller.
  public static let limit = 1_024

  private let session: SessionIdentifier
  private let channel: ReplyChannel

  init(_ session: SessionIdentifier, _ channel: ReplyChannel) {
    self.session = session
    self.channel = channel
  }

  deinit {
    fail(SceneError(.lost, session: session, "the scene has gone before its reply was finished"))
  }

  /// Whether the caller has gone: nothing more is wanted.
  public var isCancelled: Bool { channel.isCancelled }

  /// Sends a piece of the reply; after ``finish()`` nothing is sent.
  ///
  /// - Parameter piece: The piece.
  /// - Throws: `cancelled` if the caller has gone, `limitExceeded` if ``limit`` pieces wait for it
  ///   already or the piece is larger than a message: it is not sent then.
  public func send(_ piece: SceneMessage) throws(SceneError) {
    guard piece.count <= SceneMessage.sizeLimit else {
      throw SceneError(
        .limitExceeded, session: session,
        "expected a piece of at most \(SceneMessage.sizeLimit) bytes, found \(piece.count)")
    }
    switch channel.send(piece) {
    case .sent, .ended: return
    case .cancelled: throw SceneError(.cancelled, session: session, "the caller has gone")
    case .full:
      throw SceneError(
        .limitExceeded, session: session, "\(Self.limit) pieces of the reply wait for its caller")
    }
  }

  /// Ends the reply.
  public func finish() {
    channel.end(.success(()))
  }

  func fail(_ error: SceneError) {
    channel.end(.failure(error))
  }
}

/// A reply that comes in pieces, as its caller reads it: in one loop.
///
/// The end of this value, or of the task that reads it, tells the scene that nothing more is wanted.
public struct ReplyPieces: AsyncSequence, Sendable {
  /// Tells the scene when the last copy of the sequence and its iterators is gone.
  fileprivate final class Reader: Sendable {
    let channel: ReplyChannel

    init(_ channel: ReplyChannel) {
      self.channel = channel
    }

    deinit {
      channel.cancel()
    }
  }

  private let reader: Reader

  init(_ channel: ReplyChannel) {
    reader = Reader(channel)
  }

  /// Reads one piece after the other.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    private let reader: Reader

    fileprivate init(_ reader: Reader) {
      self.reader = reader
    }

    /// Waits for the next piece; nil after the last one, or when the task is cancelled.
    ///
    /// - Throws: `unhandledCall` if the delegate sends no such replies, `lost` if the scene has gone
    ///   before its reply was finished.
    public mutating func next() async throws(SceneError) -> SceneMessage? {
      let channel = reader.channel
      return try await withTaskCancellationHandler {
        await Result { () async throws(SceneError) in try await channel.next() }
      } onCancel: {
        channel.cancel()
      }.get()
    }

    /// As ``next()``.
    public mutating func next(
      isolation: isolated (any Actor)?
    ) async throws(SceneError) -> SceneMessage? {
      try await next()
    }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader) }
}

extension Result where Failure == SceneError {
  /// What an operation comes to.
  init(catching body: () async throws(SceneError) -> Success) async {
    do throws(SceneError) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
