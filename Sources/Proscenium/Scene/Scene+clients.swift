// SPDX-License-Identifier: Apache-2.0

// Output for the session's clients, and their input.
extension Scene {
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
    extras.heldFrame = number
    owePromptCapture()
  }

  /// Sees to it that the state is captured when the callback has returned.
  func owePromptCapture() {
    lifecycle.owesCapture = true
    marks[.isDirty] = true
    if !marks[.isBusy] { context.signal(.changed, slot) }
  }

  /// The last input of each client that was applied.
  var clients: ClientMemory { extras?.clients ?? details.clients }

  /// Says what a client is that asks for a line, and notes that it has come.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - next: The number that its next new input will have.
  /// - Returns: What it is, by the input of which it may be told: where input is promised to be
  ///   durable, what was captured; and whether it has to wait until that is committed.
  /// - Throws: `stateUnavailable` while the input that was applied cannot be read (R-SR-6).
  func greet(
    _ client: ClientIdentifier, next: UInt64
  ) throws(SceneError) -> (ClientMemory.Greeting, waits: Bool) {
    guard !marks[.isStateWithheld], !details.isLocked else {
      throw SceneError(
        .stateUnavailable, session: persistentIdentifier,
        "the input that was applied is saved with the state, which cannot be read now")
    }
    let waits = promise == .everyEvent
    var greeting = clients.greet(client, next: next)
    if waits, case .known = greeting {
      greeting = .known(last: details.clients.last(of: client) ?? 0)
    }
    guard clients.last(of: client) != nil else { return (greeting, waits) }
    var memory = clients
    memory.touch(client)
    if memory != clients { ensureExtras().clients = memory }
    return (greeting, waits)
  }

  /// Gives the delegate input of a client, unless it was applied before.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - first: The numbers that it may have if it is the first over its line.
  /// - Returns: What it is, and what is to be stored.
  func receive(
    _ input: ClientInput, first: ClosedRange<UInt64>?
  ) -> (ClientMemory.Judgement, SceneChanges?) {
    marks[.isBusy] = true
    let judgement = clients.judge(input.number, of: input.client, first: first)
    switch judgement {
    case .wrong: break
    case .next:
      isUnhandled = false
      callee?.scene(self, didReceive: input.message)
      if isUnhandled || callee == nil { reportUnhandled() }
      var memory = clients
      memory.note(input.number, of: input.client)
      ensureExtras().clients = memory
      acknowledge(input)
    case .repeated: acknowledge(input)
    }
    return (judgement, takeChanges())
  }

  /// Tells the client of an input that it is applied, once that is as durable as was promised.
  private func acknowledge(_ input: ClientInput) {
    lifecycle.owesCapture = true
    let line = input.line
    let (number, client) = (input.number, input.client)
    let tell: @Sendable () -> Void = {
      line.change { $0.acknowledgeInput(number, of: client) }
    }
    guard promise == .everyEvent else { return tell() }
    ensureExtras().effects.append(tell)
    owePromptCapture()
  }

  /// Has the delegate emit everything again.
  ///
  /// - Returns: What is to be stored.
  func render(after reset: OutputReset) -> SceneChanges? {
    visit { $0.callee?.scene($0, renderAfter: reset) }
  }
}
