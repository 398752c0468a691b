// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import Proscenium
import ProsceniumPrimitives

/// What clients and callbacks ask an application for.
struct SimulatedRequests: Sendable {
  /// What can be asked for; each option says how often.
  static let kinds: [SimulationOption] = [
    .open, .activate, .background, .interrupt, .resume, .disconnect, .refresh, .destroy, .close,
    .deliver, .drop, .update, .dropState, .wake,
  ]

  private let world: SimulatedWorld
  private let application: Application

  init(_ world: SimulatedWorld, _ application: Application) {
    self.world = world
    self.application = application
  }

  /// Draws one of the newest sessions, open or not; 0 before there is one.
  func drawSession(_ random: inout SplitMix64) -> Int {
    let newest = world.tell { $0.newest }
    return newest - random.number(below: min(world.options[.window], newest))
  }

  private var fail: @Sendable (SceneError) -> Void {
    let world = world
    return { world.note($0) }
  }

  /// An activation of a new session, or of one that prefers the content.
  private func opening(
    _ random: inout SplitMix64, from requester: SessionIdentifier?
  ) -> SceneSessionActivationRequest {
    var options = Scene.ActivationRequestOptions(requestingScene: requester)
    var activity: UserActivity?
    if requester != nil, random.number(below: 2) == 0 {
      // Odd activities ask for the requesting scene's group.
      activity = .numbered(1 + 2 * random.number(below: 30_000))
    } else {
      options.group = .numbered(random.number(below: world.options[.groups]))
      if options.group == nil { options.requestingScene = nil }
      if random.number(below: 2) == 0 { activity = .numbered(2 + 2 * random.number(below: 30_000)) }
    }
    return SceneSessionActivationRequest(userActivity: activity, options: options)
  }

  private func event(_ random: inout SplitMix64) -> SceneEvent {
    var activity = UserActivity.numbered(2 + 2 * random.number(below: 30_000))
    if random.number(below: 4) > 0 {
      activity.targetContentIdentifier = "doc/\(random.number(below: 6))"
    }
    return .activity(activity)
  }

  // MARK: - From callbacks

  /// Submits any request, as from a callback of a scene.
  func submitAny(_ random: inout SplitMix64, from scene: SessionIdentifier) {
    let other = SessionIdentifier.numbered(drawSession(&random))
    switch random.number(below: 16) {
    case 0...2: application.submit(.destroy(scene), onFailure: fail)
    case 3...6:
      let options = Scene.ActivationRequestOptions(requestingScene: scene)
      application.submit(
        .activate(SceneSessionActivationRequest(session: other, options: options)),
        onFailure: fail)
    case 7...8: application.submit(.activate(opening(&random, from: scene)), onFailure: fail)
    case 9: application.host.submit(.background(other), onFailure: fail)
    case 10: application.host.submit(.disconnect(other), onFailure: fail)
    case 11: application.submit(.refresh(other), onFailure: fail)
    case 12: application.host.submit(.background(scene), onFailure: fail)
    case 13: application.host.submit(.interrupt(scene), onFailure: fail)
    case 14: application.submit(.deliver(event(&random), source: scene), onFailure: fail)
    default: application.submit(.destroy(other), onFailure: fail)
    }
  }

  // MARK: - From clients

  /// Makes a request, awaited or not, and perhaps late or twice.
  func make(_ kind: SimulationOption, _ random: inout SplitMix64) async {
    if random.number(below: 100) < world.options[.delayed] {
      world.note(.delay, "\(kind)")
      try? await world.executor.clock.sleep(for: .milliseconds(random.number(below: 50)))
    }
    var copy = random
    do throws(SceneError) {
      try await makeOnce(kind, &random)
      if random.number(below: 100) < world.options[.duplicated] {
        world.note(.duplicate, "\(kind)")
        try await makeOnce(kind, &copy)
      }
    } catch {
      world.note(error)
    }
  }

  private func makeOnce(_ kind: SimulationOption, _ random: inout SplitMix64)
    async throws(SceneError)
  {
    let number = drawSession(&random)
    let session = SessionIdentifier.numbered(number)
    let isAwaited = random.number(below: 100) < world.options[.awaited]
    world.note("request \(kind) of session \(number)\(isAwaited ? ", awaited" : "")")
    switch kind {
    case .open: try await open(&random, isAwaited)
    case .activate: try await activate(session, &random, isAwaited)
    case .refresh:
      guard isAwaited else { return application.submit(.refresh(session), onFailure: fail) }
      try await application.requestSceneSessionRefresh(session)
    case .destroy:
      world.note(.discard)
      guard isAwaited else { return application.submit(.destroy(session), onFailure: fail) }
      try await application.requestSceneSessionDestruction(session)
    case .deliver:
      let event = event(&random)
      guard isAwaited else { return application.submit(.deliver(event), onFailure: fail) }
      try await application.deliver(event)
    case .drop:
      let activity = UserActivity.numbered(2 + 2 * random.number(below: 30_000))
      guard isAwaited else { return application.host.submit(.drop(activity), onFailure: fail) }
      try await application.host.drop(activity)
    case .update:
      let value = Int64(random.number(below: 1_000))
      try await application.updateSession(session) { $0.userInfo = ["value": .integer(value)] }
    case .dropState: try await dropState(of: session)
    case .wake: try await wake(session, &random)
    default: try await playHost(kind, session, isAwaited)
    }
  }

  private func open(_ random: inout SplitMix64, _ isAwaited: Bool) async throws(SceneError) {
    var requester: SessionIdentifier?
    if random.number(below: 4) == 0 { requester = .numbered(drawSession(&random)) }
    let request = opening(&random, from: requester)
    guard isAwaited else { return application.submit(.activate(request), onFailure: fail) }
    try await application.activateSceneSession(for: request)
  }

  private func activate(
    _ session: SessionIdentifier, _ random: inout SplitMix64, _ isAwaited: Bool
  ) async throws(SceneError) {
    var request = SceneSessionActivationRequest(session: session)
    if random.number(below: 5) < 2 {
      request.userActivity = .numbered(1 + random.number(below: 60_000))
    }
    if random.number(below: 5) < 2 {
      request.options.requestingScene = .numbered(drawSession(&random))
    }
    guard isAwaited else { return application.submit(.activate(request), onFailure: fail) }
    let activated = try await application.activateSceneSession(for: request)
    if activated.id != session {
      world.tell { $0.find("session \(activated.id.number) was activated, not \(session.number)") }
    }
  }

  /// Has a session woken in a while, or cancels that.
  private func wake(
    _ session: SessionIdentifier, _ random: inout SplitMix64
  ) async throws(SceneError) {
    let number = world.nextWake()
    let delay = random.number(below: 2_000)
    let due = world.calendarTime + .milliseconds(delay)
    let date = world.date.addingTimeInterval(Double(delay) / 1_000)
    let drops = world.tell { $0.sessions[min(session.number, $0.newest)].drops }
    let wake = try await application.wake(session, at: date, .numbered(number))
    guard random.number(below: 4) > 0 else {
      try await application.cancelWake(wake, of: session)
      return
    }
    world.note("session \(session.number): is to be woken with \(number)")
    world.tell { model in
      // After the loss it may have been given, or not: that is unknown.
      guard !model.isOver, model.sessions[session.number].drops == drops else { return }
      model.sessions[session.number].wakes.acknowledge(number, due: due + .milliseconds(1))
    }
  }

  /// Gives up what a session has saved.
  private func dropState(of session: SessionIdentifier) async throws(SceneError) {
    let known = world.tell { $0.sessions[min(session.number, $0.newest)] }
    if known.isDamaged {
      // A scene that has connected without it does not tell from when on it can save another.
      if world.hasKey, !known.isConnected { try await application.dropSavedState(of: session) }
      return
    }
    // What is withheld is not changed by setting what is to be seen instead.
    if world.isLocked { return }
    try await application.updateSession(session) { [world] changed in
      changed.stateRestorationActivity = nil
      world.note("session \(session.number): its state is dropped")
      world.tell { model in
        model.sessions[session.number].drop()
        model.sessions[session.number].isUncaptured = true
      }
    }
  }

  private func playHost(
    _ kind: SimulationOption, _ session: SessionIdentifier, _ isAwaited: Bool
  ) async throws(SceneError) {
    let host = application.host
    let command: HostCommand =
      switch kind {
      case .background: .background(session)
      case .interrupt: .interrupt(session)
      case .resume: .resume(session)
      case .disconnect: .disconnect(session)
      default: .close(session)
      }
    if kind == .disconnect { world.note(.disconnect) }
    if kind == .close { world.note(.discard) }
    guard isAwaited else { return host.submit(command, onFailure: fail) }
    try await host.perform(command)
  }
}
