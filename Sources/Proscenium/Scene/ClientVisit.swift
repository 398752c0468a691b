// SPDX-License-Identifier: Apache-2.0

/// What a client asks of a scene, between two items of its shard.
struct ClientVisit {
  /// What a client is told that asks for a line.
  struct Greeting: Sendable {
    /// What it is, by the input of which it may be told: where input is promised to be durable, by
    /// what was captured.
    let client: ClientMemory.Greeting
    /// Whether the client has to wait until that is committed.
    let waits: Bool
  }

  /// Says what a client is that asks for a line, and notes that it has come.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - next: The number that its next new input will have.
  ///   - scene: The scene.
  /// - Returns: What it is.
  /// - Throws: `stateUnavailable` while the input that was applied cannot be read (R-SR-6).
  func greet(
    _ client: ClientIdentifier, next: UInt64, in scene: isolated Scene
  ) throws(SceneError) -> Greeting {
    guard !scene.marks[.isStateWithheld], !scene.details.isLocked else {
      throw SceneError(
        .stateUnavailable, session: scene.persistentIdentifier,
        "the input that was applied is saved with the state, which cannot be read now")
    }
    let waits = scene.promise == .everyEvent
    var memory = scene.clients
    var greeting = memory.greet(
      client, next: next, limit: scene.context.rules.rememberedClients)
    if waits, case .known = greeting {
      greeting = .known(last: scene.details.clients.last(of: client) ?? 0)
    }
    memory.touch(client)
    if memory != scene.clients { scene.ensureExtras().clients = memory }
    return Greeting(client: greeting, waits: waits)
  }

  /// Gives the delegate input of a client, unless it was applied before.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - first: The numbers that it may have if it is the first over its line.
  ///   - scene: The scene.
  /// - Returns: What it is, and what is to be stored.
  func receive(
    _ input: ClientInput, first: ClosedRange<UInt64>?, in scene: isolated Scene
  ) -> (ClientMemory.Judgement, SceneChanges?) {
    scene.marks[.isBusy] = true
    let judgement = scene.clients.judge(input.number, of: input.client, first: first)
    switch judgement {
    case .wrong: break
    case .next:
      scene.isUnhandled = false
      scene.ensureExtras().sender = input.client
      scene.callee?.scene(scene, didReceive: input.message)
      scene.ensureExtras().sender = nil
      if scene.isUnhandled || scene.callee == nil { scene.reportUnhandled() }
      var memory = scene.clients
      memory.note(
        input.number, of: input.client, limit: scene.context.rules.rememberedClients)
      scene.ensureExtras().clients = memory
      acknowledge(input, in: scene)
    case .repeated: acknowledge(input, in: scene)
    }
    return (judgement, scene.takeChanges())
  }

  /// Tells the client of an input that it is applied, once that is as durable as was promised.
  private func acknowledge(_ input: ClientInput, in scene: isolated Scene) {
    scene.lifecycle.owesCapture = true
    guard scene.promise == .everyEvent else { return input.acknowledge() }
    let extras = scene.ensureExtras()
    let held = extras.heldInput
    if held?.client != input.client || held?.number ?? 0 < input.number { extras.heldInput = input }
    scene.owePromptCapture()
  }

  /// Has the delegate emit everything again.
  ///
  /// - Returns: What is to be stored.
  func render(after reset: OutputReset, in scene: isolated Scene) -> SceneChanges? {
    scene.visit { scene in
      (scene.callee as? any ClientSceneDelegate)?.scene(scene, renderAfter: reset)
    }
  }

  /// Asks the delegate for a reply that comes in pieces.
  ///
  /// - Returns: Whether the delegate sends such replies, and what is to be stored.
  func stream(
    _ message: SceneMessage, into reply: ReplyStream, in scene: isolated Scene
  ) -> (isHandled: Bool, SceneChanges?) {
    scene.marks[.isBusy] = true
    scene.isUnhandled = false
    let delegate = scene.callee as? any ClientSceneDelegate
    delegate?.scene(scene, streamReplyTo: message, into: reply)
    let isHandled = delegate != nil && !scene.isUnhandled
    if !isHandled { scene.reportUnhandled() }
    return (isHandled, scene.takeChanges())
  }
}
