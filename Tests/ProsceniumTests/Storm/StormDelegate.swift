// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Synchronization

@testable import Proscenium

/// A delegate that logs each callback, watches its group's foreground, and makes requests.
final class StormDelegate: SceneDelegate {
  private let stage: StormStage
  /// A circle of references, as programs make them: the disconnect has to break it.
  private var scene: Scene?
  private var number = 0
  private var group: StormGroup
  private var groupNumber = 0
  private var random = SplitMix64(seed: 0)
  private var captures = 0
  private var isForeground = false
  private var isActive = false
  private var entries: [StormEntry] = []
  private var messages: [NumberedMessage] = []

  init(_ stage: StormStage) {
    self.stage = stage
    group = stage.groups[0]
    stage.delegates.wrappingAdd(1, ordering: .relaxed)
  }

  deinit {
    stage.delegates.wrappingSubtract(1, ordering: .relaxed)
  }

  private func note(_ scene: isolated Scene, _ callback: SceneCallback, _ activity: Int = 0) {
    let call = SceneCall(callback, SceneState(scene.activationState), activity)
    let sequence = group.callbacks.wrappingAdd(1, ordering: .relaxed).oldValue
    let isApplicationActive = scene.application.applicationState == .active
    entries.append(
      StormEntry(call, sequence: sequence, isApplicationActive: isApplicationActive))
    if isActive, !isApplicationActive {
      stage.find("session \(number) is active, the application is not")
    }
    if !scene.isFound { stage.find("session \(number) is not found at its \(callback)") }
    if random.number(below: 12) == 0, stage.takeRequest() { request(scene) }
  }

  // MARK: - Requests from callbacks

  private func request(_ scene: isolated Scene) {
    let stage = stage
    let application = scene.application
    let own = scene.persistentIdentifier
    let other = SessionIdentifier.numbered(stage.drawSession(&random))
    let fail: @Sendable (SceneError) -> Void = { stage.note($0) }
    switch random.number(below: 20) {
    case 0...3: application.submit(.destroy(own), onFailure: fail)
    case 4...8:
      let options = Scene.ActivationRequestOptions(requestingScene: own)
      application.submit(
        .activate(SceneSessionActivationRequest(session: other, options: options)),
        onFailure: fail)
    case 9...11:
      let options = Scene.ActivationRequestOptions(requestingScene: own)
      let activity = UserActivity.numbered(1 + 2 * random.number(below: 30_000))
      application.submit(
        .activate(SceneSessionActivationRequest(userActivity: activity, options: options)),
        onFailure: fail)
    case 12: application.host.submit(.background(other), onFailure: fail)
    case 13: application.host.submit(.disconnect(other), onFailure: fail)
    case 14: application.submit(.refresh(other), onFailure: fail)
    case 15: application.host.submit(.background(own), onFailure: fail)
    case 16, 17: send(number, application)
    default: send(other.number, application)
    }
  }

  private func send(_ session: Int, _ application: Application) {
    let message = group.sender.next(to: session)
    do throws(SceneError) {
      try application.send(message.message, to: SessionIdentifier.numbered(session))
      group.sender.note(message, .accepted)
    } catch {
      stage.note(error)
    }
  }

  // MARK: - Callbacks

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    self.scene = scene
    number = session.persistentIdentifier.number
    groupNumber = session.group.number
    group = stage.groups[groupNumber]
    random = SplitMix64(
      seed: stage.plan.seed,
      stream: number << 20 | stage.connections.load(ordering: .relaxed) & 0xF_FFFF)
    captures = session.stateRestorationActivity?.number ?? 0
    if !stage.log(of: number).connect(number, group: groupNumber) {
      stage.find("session \(number) connected a second time, or after its discard")
    }
    stage.remember(scene)
    if AdmissionReplay.Rules.needsCapture(number) { scene.setNeedsCapture() }
    if options.userActivities.count > 1 { stage.find("session \(number) got several activities") }
    note(scene, .connect, options.userActivities.first?.number ?? 0)
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    note(scene, .restore, activity.number)
  }

  func sceneWillEnterForeground(_ scene: isolated Scene) {
    isForeground = true
    let count = group.foreground.wrappingAdd(1, ordering: .relaxed).newValue
    // In a hand-over the one that gives way leaves after the newcomer has come.
    if count > stage.plan.capacity + 1 {
      stage.find("group \(groupNumber) has \(count) scenes in the foreground")
    }
    note(scene, .willEnterForeground)
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    note(scene, .proceed, activity.number)
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) {
    isActive = true
    let count = group.active.wrappingAdd(1, ordering: .relaxed).newValue
    if count > stage.plan.capacity {
      stage.find("group \(groupNumber) has \(count) active scenes")
    }
    note(scene, .didBecomeActive)
  }

  func sceneWillResignActive(_ scene: isolated Scene) {
    leaveActive()
    note(scene, .willResignActive)
  }

  func sceneDidEnterBackground(_ scene: isolated Scene) {
    leaveForeground()
    note(scene, .didEnterBackground)
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    note(scene, .capture)
    captures = (captures + 1) & 0xFFFF
    return AdmissionReplay.Rules.capturesNothing(number) ? nil : .numbered(captures)
  }

  func sceneDidDisconnect(_ scene: isolated Scene) {
    leaveForeground()
    note(scene, .disconnect)
    stage.log(of: number).disconnect(number, entries, messages)
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    messages.append(NumberedMessage(message))
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    messages.append(NumberedMessage(message))
    return message
  }

  private func leaveActive() {
    guard isActive else { return }
    isActive = false
    group.active.wrappingSubtract(1, ordering: .relaxed)
  }

  private func leaveForeground() {
    leaveActive()
    guard isForeground else { return }
    isForeground = false
    group.foreground.wrappingSubtract(1, ordering: .relaxed)
  }
}

/// An application delegate that answers for some sessions with a configuration of a wrong role.
final class StormApplicationDelegate: ConfiguringApplicationDelegate {
  private let stage: StormStage

  init(_ stage: StormStage) {
    self.stage = stage
  }

  func application(
    _ application: isolated Application, configurationForConnecting session: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    stage.questions.wrappingAdd(1, ordering: .relaxed)
    if stage.plan.configuration == .lateDelegate { stage.dawdle() }
    if stage.plan.isMisconfigured(session.id.number) {
      return SceneConfiguration(name: nil, sessionRole: .windowExternalDisplay)
    }
    return session.configuration
  }

  func application(
    _ application: isolated Application, didDiscardSceneSessions sessions: [SceneSession]
  ) {
    for session in sessions {
      let number = session.id.number
      stage.discards.wrappingAdd(1, ordering: .relaxed)
      if application.session(session.id) != nil || !stage.log(of: number).discard(number) {
        stage.find("session \(number) was discarded while it was open or connected")
      }
    }
  }
}
