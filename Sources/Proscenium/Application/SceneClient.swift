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

  /// Whether the line has not ended, and the client does not only watch.
  package var isUser: Bool { line.look { $0.isUser(number) } }

  /// Sends input of the client to the session's scene: `scene(_:didReceive:)`, once.
  ///
  /// Input that was applied before is not applied again, whichever line, run of the application or
  /// process it came through then. It is acknowledged by ``Output/acknowledged(_:)``. A number that
  /// leaves one out ends the line. What is sent while the session goes to another process is not
  /// taken, and the line ends with ``LineEnd/moved(address:)``.
  ///
  /// - Parameters:
  ///   - message: Up to ``SceneMessage/sizeLimit`` bytes.
  ///   - number: The number of the input: 1 for the client's first, one more for each that follows.
  /// - Throws: `clientRefused` if the client watches or its line has ended, `limitExceeded` for a
  ///   message or a number that is out of range, or what
  ///   ``Application/sendWithBackpressure(_:to:)`` throws: nothing was sent then.
  public func send(_ message: SceneMessage, number: UInt64) async throws(SceneError) {
    guard line.look({ $0.takesInput(self.number) }) else {
      // It is about to be told where to send it again.
      if line.look({ $0.isGone && $0.isUser(self.number) }) { return }
      throw SceneError(
        .clientRefused, session: session, "the client watches the session, or its line has ended")
    }
    guard number > 0, number <= ClientMemory.lastNumber else {
      throw SceneError(
        .limitExceeded, session: session,
        "expected an input with a number from 1 to \(ClientMemory.lastNumber), found \(number)")
    }
    let input = ClientInput(number, message, of: identifier, line, self.number)
    do throws(SceneError) {
      _ = try await application.commands.accept(.input(input), to: session, size: message.count)
    } catch {
      // The session goes to another process: the line is about to end, and the client sends again
      // there what was not acknowledged.
      guard application.core.directory.elsewhere?(session) != nil else { throw error }
    }
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
      if isWithheld(output) { continue }
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

  /// What ``take(orNotify:)`` has found.
  package enum Found: Sendable {
    case output(Output)
    /// There is nothing now.
    case nothing
    /// The line has ended, and the client knows it.
    case over
  }

  /// Takes what the client is to be told next, without a task that waits for it.
  ///
  /// - Parameter notify: Called once, from any thread, when there is something again; only if there
  ///   is nothing now.
  /// - Returns: What there is.
  package func take(orNotify notify: @escaping @Sendable () -> Void) async -> Found {
    while true {
      let output = line.take(number, orNotify: notify)
      if let output, isWithheld(output) { continue }
      switch output {
      case .frame(let frame): return .output(.frame(frame))
      case .acknowledged(let number): return .output(.acknowledged(number))
      case .reset(let reset): return .output(.reset(reset))
      case .needsRendering: await render()
      case .ended(let reason): return .output(.ended(reason))
      case .over: return .over
      case nil: return .nothing
      }
    }
  }

  /// Whether the session may not be served any more, by which the line ends: the client goes on
  /// behind what it has seen, here or in another process.
  private func isWithheld(_ output: LineLedger.Output) -> Bool {
    switch output {
    case .ended, .over: return false
    case .frame, .acknowledged, .reset, .needsRendering:
      if application.core.mayServe { return false }
      ClientMoves(core: application.core).interrupt(line, number)
      return true
    }
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
