// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
@testable import Proscenium

/// One of the tasks that make a storm's requests, in both forms mixed.
struct StormCaller {
  let stage: StormStage
  let application: Application
  let sender: StormSender
  var random: SplitMix64

  init(_ stage: StormStage, _ application: Application, number: Int) {
    self.stage = stage
    self.application = application
    sender = stage.senders[number]
    random = SplitMix64(seed: stage.plan.seed, stream: number)
  }

  mutating func run() async {
    while stage.takeRequest() {
      let session = stage.drawSession(&random)
      if session == 0 {
        await open()
        continue
      }
      do throws(SceneError) {
        try await request(session)
      } catch {
        stage.note(error)
      }
    }
  }

  private mutating func request(_ session: Int) async throws(SceneError) {
    let identifier = SessionIdentifier.numbered(session)
    switch random.number(below: 100) {
    case 0..<11: await open()
    case 11..<40: try await activate(identifier)
    case 40..<51: try await host(.background(identifier))
    case 51..<57: try await host(.interrupt(identifier))
    case 57..<63: try await host(.resume(identifier))
    case 63..<72: try await host(.disconnect(identifier))
    case 72..<78: try await refresh(identifier)
    case 78..<88: try await destroy(identifier)
    default: await send(session)
    }
  }

  // MARK: - Requests in both forms

  private var isAwaited: Bool {
    mutating get { random.number(below: 2) == 0 }
  }

  private var fail: @Sendable (SceneError) -> Void {
    let stage = stage
    return { stage.note($0) }
  }

  private mutating func open() async {
    var options = Scene.ActivationRequestOptions()
    var activity: UserActivity?
    if random.number(below: 4) == 0 { options.requestingScene = drawRequester() }
    if options.requestingScene != nil, random.number(below: 2) == 0 {
      activity = .numbered(1 + 2 * random.number(below: 30_000))
    } else {
      options.group = .numbered(random.number(below: stage.plan.groups))
      // Without a name the requesting scene's group would be inherited, which odd activities say.
      if options.group == nil { options.requestingScene = nil }
      if random.number(below: 2) == 0 { activity = .numbered(2 + 2 * random.number(below: 30_000)) }
    }
    let request = SceneSessionActivationRequest(userActivity: activity, options: options)
    guard isAwaited else { return application.submit(.activate(request), onFailure: fail) }
    do throws(SceneError) {
      try await application.activateSceneSession(for: request)
    } catch {
      stage.note(error)
    }
  }

  private mutating func drawRequester() -> SessionIdentifier {
    .numbered(stage.drawSession(&random))
  }

  private mutating func activate(_ session: SessionIdentifier) async throws(SceneError) {
    var request = SceneSessionActivationRequest(session: session)
    if random.number(below: 5) < 2 {
      request.userActivity = .numbered(1 + random.number(below: 60_000))
    }
    if random.number(below: 5) < 2 { request.options.requestingScene = drawRequester() }
    guard isAwaited else { return application.submit(.activate(request), onFailure: fail) }
    let activated = try await application.activateSceneSession(for: request)
    if activated.id != session { stage.find("\(activated.id) was activated, not \(session)") }
  }

  private mutating func refresh(_ session: SessionIdentifier) async throws(SceneError) {
    guard isAwaited else { return application.submit(.refresh(session), onFailure: fail) }
    try await application.requestSceneSessionRefresh(session)
  }

  private mutating func destroy(_ session: SessionIdentifier) async throws(SceneError) {
    guard isAwaited else { return application.submit(.destroy(session), onFailure: fail) }
    try await application.requestSceneSessionDestruction(session)
  }

  private mutating func host(_ command: HostCommand) async throws(SceneError) {
    guard isAwaited else { return application.host.submit(command, onFailure: fail) }
    try await application.host.perform(command)
  }

  // MARK: - Messages

  private mutating func send(_ session: Int) async {
    let identifier = SessionIdentifier.numbered(session)
    let message = sender.next(to: session)
    do throws(SceneError) {
      switch random.number(below: 4) {
      case 0:
        let reply = try await application.call(message.message, to: identifier)
        sender.note(message, .replied)
        if NumberedMessage(reply) != message { stage.find("the reply to \(message) is another's") }
      case 1:
        try await application.sendWithBackpressure(message.message, to: identifier)
        sender.note(message, .accepted)
      default:
        try application.send(message.message, to: identifier)
        sender.note(message, .accepted)
      }
    } catch {
      stage.note(error)
    }
  }
}
