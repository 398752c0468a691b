// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Clients of sessions: their lines, their input and what they show.
extension Shard {
  /// Gives a client a line.
  func attach(_ request: LineRequest, _ slot: Int32) {
    guard let scene = scenes[slot] ?? reconnect(slot) else {
      return request.ticket.answer(
        .failure(SceneError(.lost, "the session ended before the client reached its scene")))
    }
    do throws(SceneError) {
      request.ticket.answer(.success(try welcome(request, scene, slot)))
    } catch {
      request.ticket.answer(.failure(error))
    }
  }

  private func welcome(
    _ request: LineRequest, _ scene: Scene, _ slot: Int32
  ) throws(SceneError) -> Welcome {
    let (client, next) = (request.client, request.nextInput)
    let (greeting, waits) = try scene.assumeIsolated { scene in
      Result { () throws(SceneError) in try scene.greet(client, next: next) }
    }.get()
    var asked = request.request
    switch greeting {
    case .known(let last): asked.firstInput = last + 1...next
    case .forgotten:
      asked.firstInput = next...next
      asked.isForgotten = true
    case .behind(let last):
      throw SceneError(
        .clientRefused, session: scene.persistentIdentifier,
        "expected the next input of the client to have a number after \(last), found \(next)")
    }
    let role = scene.configuration.role
    let line = lines.find(
      slot, of: scene.persistentIdentifier, epoch: core.writer.epoch,
      core.settings.clientRulesOfRoles[role] ?? core.settings.clientRules)
    scene.assumeIsolated { $0.ensureExtras().line = line }
    guard let attachment = line.change({ $0.attach(asked, line.rules.secondClient) }) else {
      throw SceneError(
        .clientRefused, session: scene.persistentIdentifier,
        "another client is attached to the session, or too many watch it")
    }
    if let reset = attachment.reset {
      render(scene, after: reset, line, attachment.number, behind: attachment.frameCount)
    }
    if waits {
      scenes.batch.awaiting.append(.ticket(request.durable, of: scene.persistentIdentifier))
    } else {
      request.durable.answer(.success(()))
    }
    return Welcome(
      line: line, attachment: attachment, lastInput: asked.firstInput.lowerBound - 1)
  }

  private func render(
    _ scene: Scene, after reset: OutputReset, _ line: SessionLine, _ number: UInt64,
    behind frameCount: UInt64
  ) {
    scenes.record(scene.assumeIsolated { $0.render(after: reset) }, of: scene)
    line.change { $0.endRendering(number, after: frameCount) }
  }

  /// Has a scene emit everything again for a client that frames were lost for.
  func render(_ request: RenderRequest, _ slot: Int32) {
    let line = request.line
    guard let scene = scenes[slot] ?? reconnect(slot),
      let frameCount = line.change({ $0.beginRendering(request.lineNumber, .overflow) })
    else { return }
    render(scene, after: .overflow, line, request.lineNumber, behind: frameCount)
  }

  /// Delivers input of a client.
  func deliver(_ input: ClientInput, _ slot: Int32) {
    let line = input.line
    // What came over a line that another one has replaced comes again over that one.
    guard line.look({ $0.takesInput(input.lineNumber) }),
      let scene = scenes[slot] ?? reconnect(slot)
    else { return }
    let first = line.look { $0.firstInput(input.lineNumber) }
    let (judgement, changes) = scene.assumeIsolated { $0.receive(input, first: first) }
    scenes.record(changes, of: scene)
    switch judgement {
    case .repeated: break
    case .next: line.change { $0.didTakeInput(input.lineNumber) }
    case .wrong(let expected):
      line.change { $0.end(input.lineNumber, .wrongInput(expected: expected)) }
    }
  }

  /// Ends all lines with the application.
  func endLines() {
    lines.endAll(.applicationEnded)
  }

  /// The user of a session has not come back in time.
  func leave(_ owner: WeakReference, _ absence: Absence, _ slot: Int32) {
    guard let line = lines[slot], line === owner.object,
      line.look({ $0.isAbsent(absence.number) })
    else { return }
    if absence.isLong {
      line.change { $0.leave() }
      if line.look(\.isUsed) { return }
      lines.end(slot, .sessionEnded)
      scenes[slot]?.assumeIsolated { $0.extras?.line = nil }
      return
    }
    // The ring takes the sleeping task, which has to be woken.
    try? core.admit(.background(line.session), Reporting()).sleeper?.wake()
    core.deadlines.beginAbsence(
      Absence(number: absence.number, isLong: true), of: line, handle(slot),
      limit: line.rules.keepingPeriod)
  }
}
