// SPDX-License-Identifier: Apache-2.0

/// A client that is attached to a session: its end of the line.
///
/// Who serves a client reads its output in a loop, and passes on what the client sends:
///
/// ```swift
/// let client = try await application.attach(to: session, as: identifier)
/// while let output = await client.next() {
///   if case .frame(let frame) = output { try client.acknowledge(frame.number) }
/// }
/// ```
///
/// The line ends when the client leaves, when another one takes its place, or with its session;
/// ``detach()`` says that the client is gone, and so does the end of this object. Until then scenes
/// come and go as often as the system likes.
public final class SceneClient: Sendable {
  /// Something that the client is to be told.
  public enum Output: Sendable, Hashable {
    /// A frame; they come in the order of their numbers.
    case frame(SceneFrame)
    /// All input up to a number is applied, as durably as the role's policy says: the client needs
    /// not keep it any longer.
    case acknowledged(UInt64)
    /// Everything before is void: what follows is the whole output again.
    case reset(OutputReset)
    /// The line has ended; nothing follows.
    case ended(LineEnd)
  }

  /// The session.
  public let session: SessionIdentifier

  /// The client.
  public let identifier: ClientIdentifier

  /// Whether the client watches: it receives frames, and sends no input.
  public let watches: Bool

  /// Why the client gets everything again, or `nil` if it goes on with what it shows.
  public let reset: OutputReset?

  /// The epoch of the frames.
  public let epoch: UInt64

  /// The number of the last input that the client needs not send again, 0 for none: all up to it
  /// was applied, or will never be after ``OutputReset/forgotten``.
  public let lastInput: UInt64

  let application: Application
  let line: SessionLine
  /// Names the line.
  let number: UInt64

  init(_ welcome: Welcome, _ client: ClientIdentifier, _ application: Application) {
    self.application = application
    line = welcome.line
    number = welcome.attachment.number
    session = line.session
    identifier = client
    watches = welcome.attachment.watches
    reset = welcome.attachment.reset
    epoch = line.epoch
    lastInput = welcome.lastInput
  }

  deinit {
    detach()
  }

  /// Sends input of the client to the session's scene: `scene(_:didReceive:)`, once.
  ///
  /// Input that was applied before is not applied again, whichever line, run of the application or
  /// process it came through then. It is acknowledged by ``Output/acknowledged(_:)``. A number that
  /// leaves one out ends the line.
  ///
  /// - Parameters:
  ///   - message: Up to ``SceneMessage/sizeLimit`` bytes.
  ///   - number: The number of the input: 1 for the client's first, one more for each that follows.
  /// - Throws: `clientRefused` if the client watches or its line has ended, `limitExceeded` for a
  ///   message or a number that is out of range, or what
  ///   ``Application/sendWithBackpressure(_:to:)`` throws: nothing was sent then.
  public func send(_ message: SceneMessage, number: UInt64) async throws(SceneError) {
    guard line.look({ $0.takesInput(self.number) }) else {
      throw SceneError(
        .clientRefused, session: session, "the client watches the session, or its line has ended")
    }
    guard number > 0, number <= ClientMemory.lastNumber else {
      throw SceneError(
        .limitExceeded, session: session,
        "expected an input with a number from 1 to \(ClientMemory.lastNumber), found \(number)")
    }
    let input = ClientInput(number, message, of: identifier, line, self.number)
    _ = try await application.commands.accept(.input(input), to: session, size: message.count)
  }

  /// Says that the client has all frames up to a number and does not need them again.
  ///
  /// - Throws: `clientRefused` if the client was not given that frame.
  public func acknowledge(_ frame: FrameNumber) throws(SceneError) {
    guard line.change({ $0.acknowledge(number, frame) }) else {
      throw SceneError(
        .clientRefused, session: session,
        "expected the number of a frame that the client was given, found \(frame.count) of epoch "
          + "\(frame.epoch)")
    }
  }

  /// Says whether the client sees the scene: then it comes to the foreground, otherwise it goes to
  /// the background.
  ///
  /// Of one that watches nothing follows.
  public func setVisible(_ isVisible: Bool) {
    if line.change({ $0.setVisible(number, isVisible) }) { follow() }
  }

  /// Says that the client is gone.
  ///
  /// Its frames are kept, and the scene stays in the foreground, for the times of ``ClientRules``.
  public func detach() {
    guard let absence = line.change({ $0.detach(number) }),
      let session = application.core.directory.find(session)
    else { return }
    application.core.deadlines.beginAbsence(
      absence, of: line, session,
      limit: absence.isLong ? line.rules.keepingPeriod : line.rules.gracePeriod)
  }

  /// Brings the scene to where its client sees it.
  func follow() {
    let isSeen = line.look(\.isSeen)
    let session = session
    application.commands.submit(
      isSeen ? .open(session, hold: false) : .background(session)
    ) { [core = application.core] error in
      core.events.report(session, .failed(error))
    }
  }
}

extension SceneClient {
  /// Waits for what the client is to be told next; for one task at a time.
  ///
  /// - Returns: The output; nil after the end of the line, or when the task is cancelled.
  public func next() async -> Output? {
    while let output = await line.next(number) {
      switch output {
      case .frame(let frame): return .frame(frame)
      case .acknowledged(let number): return .acknowledged(number)
      case .reset(let reset): return .reset(reset)
      case .needsRendering: await render()
      case .ended(let reason): return .ended(reason)
      case .over: return nil
      }
    }
    return nil
  }

  /// Has the scene emit everything again.
  private func render() async {
    do throws(SceneError) {
      let request = RenderRequest(line, number)
      let shard = try await application.commands.accept(.render(request), to: session, size: 0)
      await application.commands.drain(shard)
    } catch {
      line.change { $0.end(number, error.code == .notRunning ? .applicationEnded : .sessionEnded) }
    }
  }
}

// Clients come to sessions.
extension Application {
  /// Attaches a client to a session.
  ///
  /// A session without a scene gets one in the background first. A client that comes back within
  /// the bounds of ``ClientRules`` goes on with the frame after the last one that it has seen; any
  /// other gets everything again: the scene's delegate is asked for it (`scene(_:renderAfter:)`). A
  /// client that sees the scene brings it to the foreground.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - client: The client, by the identifier that it has kept.
  ///   - lastSeen: The last frame that the client shows, or `nil` if it shows nothing.
  ///   - nextInput: The number that the client's next new input will have: 1 for a new client, and
  ///     greater than any that it has used. What it has sent and has no acknowledgement for, it
  ///     sends again: what follows ``SceneClient/lastInput``.
  ///   - isVisible: Whether the client sees the scene.
  ///   - watches: Whether the client only watches.
  /// - Returns: The client's end of the line.
  /// - Throws: `clientRefused` by the role's ``ClientRules/secondClient``, or if `nextInput` was
  ///   used before; `limitExceeded` if it is out of range; `lost` if the session ended before the
  ///   client reached its scene, `notDurable` if what its input has led to cannot be committed,
  ///   `stateUnavailable` while the saved state cannot be read (R-SR-6), `sessionNotOpen`, or
  ///   `notRunning`.
  public nonisolated func attach(
    to session: SessionIdentifier, as client: ClientIdentifier, lastSeen: FrameNumber? = nil,
    nextInput: UInt64 = 1, isVisible: Bool = true, watches: Bool = false
  ) async throws(SceneError) -> SceneClient {
    guard nextInput > 0, nextInput <= ClientMemory.lastNumber else {
      throw SceneError(
        .limitExceeded, session: session,
        "expected a next input with a number from 1 to \(ClientMemory.lastNumber), found "
          + "\(nextInput)")
    }
    let request = LineRequest(
      LineLedger.Request(
        client: client, lastSeen: lastSeen, watches: watches, isVisible: isVisible),
      nextInput: nextInput)
    await core.launched(for: session)
    let shard = try await commands.accept(.attach(request), to: session, size: 0)
    await commands.drain(shard)
    let attached = SceneClient(try await commands.answer(request.ticket), client, self)
    try await request.durable.value()
    if !attached.watches { attached.follow() }
    return attached
  }
}
