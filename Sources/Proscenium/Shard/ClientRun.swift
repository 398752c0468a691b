// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// What a client of a session asks for, which its shard carries out.
struct ClientRun {
  let slot: Int32

  init(_ slot: Int32) {
    self.slot = slot
  }

  /// The session's scene, made if need be.
  private func scene(in shard: isolated Shard) -> Scene? {
    shard.scenes[slot] ?? shard.reconnect(slot)
  }

  // MARK: - Lines

  /// Gives a client a line.
  func attach(_ request: LineRequest, in shard: isolated Shard) {
    guard let scene = scene(in: shard) else {
      return request.ticket.answer(
        .failure(SceneError(.lost, "the session ended before the client reached its scene")))
    }
    do throws(SceneError) {
      request.ticket.answer(.success(try welcome(request, scene, in: shard)))
    } catch {
      request.ticket.answer(.failure(error))
    }
  }

  private func welcome(
    _ request: LineRequest, _ scene: Scene, in shard: isolated Shard
  ) throws(SceneError) -> Welcome {
    let greeting = try greet(request, scene)
    var asked = request.request
    switch greeting.client {
    case .known(let last): asked.firstInput = last + 1...request.nextInput
    case .forgotten:
      asked.firstInput = request.nextInput...request.nextInput
      asked.isForgotten = true
    case .behind(let last):
      throw SceneError(
        .clientRefused, session: scene.persistentIdentifier,
        "expected the next input of the client to have a number after \(last), found "
          + "\(request.nextInput)")
    }
    let line = line(of: scene, in: shard)
    guard let attachment = line.change({ $0.attach(asked, line.rules.secondClient) }) else {
      throw SceneError(
        .clientRefused, session: scene.persistentIdentifier,
        "another client is attached to the session, or too many watch it")
    }
    if let reset = attachment.reset {
      render(scene, after: reset, line, attachment.number, attachment.frameCount, in: shard)
    }
    if shard.scenes.watchesUses, !attachment.watches { shard.scenes.uses.note(slot) }
    if greeting.waits {
      shard.scenes.batch.awaiting.append(
        .ticket(request.durable, of: scene.persistentIdentifier))
    } else {
      request.durable.answer(.success(()))
    }
    return Welcome(
      line: line, attachment: attachment, lastInput: asked.firstInput.lowerBound - 1)
  }

  private func greet(
    _ request: LineRequest, _ scene: Scene
  ) throws(SceneError) -> ClientVisit.Greeting {
    let (client, next) = (request.client, request.nextInput)
    return try scene.assumeIsolated { scene in
      Result { () throws(SceneError) in
        try ClientVisit().greet(client, next: next, in: scene)
      }
    }.get()
  }

  /// The lines of the session, which its scene is told of.
  private func line(of scene: Scene, in shard: isolated Shard) -> SessionLine {
    let (core, role) = (shard.core, scene.configuration.role)
    let line = shard.lines.find(
      slot, of: scene.persistentIdentifier, epoch: core.writer.epochs[scene.persistentIdentifier],
      core.settings.clientRules(of: role))
    scene.assumeIsolated { $0.ensureExtras().line = line }
    return line
  }

  /// No user of a session has come back in time.
  func leave(_ owner: WeakReference, _ absence: Absence, in shard: isolated Shard) {
    guard let line = owner.object as? SessionLine,
      shard.core.directory.find(line.session) == shard.handle(slot),
      shard.lines.take(slot, of: line.session) === line
    else { return }
    line.change { $0.leaveWatchers() }
    guard line.look({ $0.isAbsent(absence) }) else { return }
    if absence.isLong {
      line.change { $0.leave() }
      if line.look(\.isUsed) { return }
      if line.change({ $0.takePresence() }) { shard.scenes.uses.note(slot) }
      shard.lines.end(slot, of: line.session, .sessionEnded)
      shard.scenes[slot]?.assumeIsolated { $0.extras?.line = nil }
      return
    }
    // The ring takes the sleeping task, which has to be woken.
    try? shard.core.admit(.background(line.session), Reporting()).sleeper?.wake()
    shard.core.deadlines.beginAbsence(
      Absence(number: absence.number, isLong: true), of: line, shard.handle(slot),
      limit: line.rules.keepingPeriod)
  }

  // MARK: - Output

  private func render(
    _ scene: Scene, after reset: OutputReset, _ line: SessionLine, _ number: UInt64,
    _ frameCount: UInt64, in shard: isolated Shard
  ) {
    let changes = scene.assumeIsolated { ClientVisit().render(after: reset, in: $0) }
    shard.scenes.record(changes, of: scene)
    line.change { $0.endRendering(number, after: frameCount) }
  }

  /// Has a scene emit everything again for a client that frames were lost for.
  func render(_ request: RenderRequest, in shard: isolated Shard) {
    let (line, number) = (request.line, request.lineNumber)
    guard let scene = scene(in: shard),
      let frameCount = line.change({ $0.beginRendering(number, .overflow) })
    else { return }
    render(scene, after: .overflow, line, number, frameCount, in: shard)
  }

  /// Asks for a reply that comes in pieces.
  func stream(_ message: SceneMessage, _ reply: ReplyStream, in shard: isolated Shard) {
    if reply.isCancelled { return }
    guard let scene = scene(in: shard) else {
      return reply.fail(SceneError(.lost, "the session ended before the call reached its scene"))
    }
    let (isHandled, changes) = scene.assumeIsolated {
      ClientVisit().stream(message, into: reply, in: $0)
    }
    shard.scenes.record(changes, of: scene)
    if !isHandled {
      reply.fail(
        SceneError(
          .unhandledCall, session: scene.persistentIdentifier,
          "the scene's delegate does not implement scene(_:streamReplyTo:into:)"))
    }
  }

  // MARK: - Input

  /// Delivers input of a client.
  func deliver(_ input: ClientInput, in shard: isolated Shard) {
    let (line, number) = (input.line, input.lineNumber)
    // What came over a line that another one has replaced comes again over that one.
    guard line.look({ $0.takesInput(number) }), let scene = scene(in: shard) else { return }
    let first = line.look { $0.firstInput(number) }
    let (judgement, changes) = scene.assumeIsolated {
      ClientVisit().receive(input, first: first, in: $0)
    }
    shard.scenes.record(changes, of: scene)
    switch judgement {
    case .repeated: break
    case .next: line.change { $0.didTakeInput(number) }
    case .wrong(let expected): line.change { $0.end(number, .wrongInput(expected: expected)) }
    }
  }
}
