// SPDX-License-Identifier: Apache-2.0

// Output for the session's clients, and their input.
extension Scene {
  /// The client that sent the message which the delegate is being given, or `nil`: the program sent
  /// it, or the delegate is being told of something else.
  ///
  /// A message of a client is input from outside, whatever it says.
  public var sender: ClientIdentifier? { extras?.sender }

  /// Whether a client is there that sees the scene, wherever the scene is.
  package var isSeen: Bool { extras?.line?.look(\.isSeen) ?? false }

  /// Whether frames are kept: a client has attached, and may be there or come back.
  package var keepsFrames: Bool { extras?.line != nil }

  /// Appends a frame to what the session's clients receive, in the order of the calls.
  ///
  /// A frame is kept until the clients acknowledge it, within the bounds of ``ClientRules``. Before
  /// a client has attached in this run of the application, frames are dropped: the first one gets
  /// everything again (`scene(_:renderAfter:)`). A scene never waits for a client. With
  /// ``Durability/everyEvent`` it leaves once the state is durable in which the scene was when the
  /// callback returned; otherwise at once.
  ///
  /// - Parameter content: Up to ``SceneMessage/sizeLimit`` bytes; a larger frame is reported as
  ///   `limitExceeded` and dropped.
  public func emit(_ content: SceneMessage) {
    guard let extras, let line = extras.line, lifecycle.state != .unattached || marks[.isBusy]
    else { return }
    guard content.count <= SceneMessage.sizeLimit else {
      return context.events.report(
        persistentIdentifier,
        .failed(
          SceneError(
            .limitExceeded, session: persistentIdentifier,
            "expected a frame of at most \(SceneMessage.sizeLimit) bytes, found \(content.count)")))
    }
    let isHeld = promise == .everyEvent
    let number = line.change { $0.append(content, isHeld: isHeld) }
    guard isHeld else { return }
    extras.heldFrames = (extras.heldFrames?.lowerBound ?? number)...number
    owePromptCapture()
  }

  /// Sees to it that the state is captured when the callback has returned.
  func owePromptCapture() {
    lifecycle.owesCapture = true
    marks[.isDirty] = true
    if !marks[.isBusy] { context.signal(.changed, slot) }
  }
}
