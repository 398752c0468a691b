// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import ProsceniumPrimitives

/// A delegate that counts each client's messages, and behaves as its world says.
final class SimulatedDelegate: ClientSceneDelegate {
  private let world: SimulatedWorld
  private var number = 0
  private var random = SplitMix64(seed: 0)
  /// What it has taken: the state that it saves.
  private var counts = MessageCounts.zero
  private var captures = 0
  /// The saved state is withheld, since protected data is locked.
  private var isWithheld = false

  init(_ world: SimulatedWorld) {
    self.world = world
  }

  // MARK: - Connection

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    number = session.persistentIdentifier.number
    random = world.generator(number << 20 | world.nextConnection() & 0xF_FFFF)
    let saved = session.stateRestorationActivity
    let restored = saved?.title.flatMap { MessageCounts(text: $0) }
    let isKept = world.tell { $0.sessions[self.number].isKept }
    isWithheld = saved == nil && isKept && world.isLocked
    captures = saved?.number ?? 0
    let seen = SceneState(scene.activationState)
    let activity = options.userActivities.first?.number ?? 0
    counts = world.tell { [number, isWithheld] model in
      model.connect(number, activity: activity, restored: restored, isWithheld: isWithheld, seen)
      return model.sessions[number].taken
    }
    world.note("session \(number): connect \(restored?.text ?? "nothing")")
    emit(scene)
    if AdmissionReplay.Rules.needsCapture(number) { scene.setNeedsCapture() }
    if number % 3 == 0, let document = try? ContentPredicate.equals("doc/\(number % 5)") {
      scene.activationConditions.prefers = document
    }
    if random.happens(perThousand: world.options[.ending]) {
      scene.destructionConditions = [.systemDisconnection]
    }
    if random.happens(perThousand: world.options[.keeping]) {
      scene.keepsConnected = true
      world.tell { [number] in $0.sessions[number].isKeeping = true }
    }
    if random.happens(perThousand: world.options[.extending]) { extend(scene) }
    behave(scene)
  }

  /// Extends the restoration, and completes it some time, or never.
  private func extend(_ scene: isolated Scene) {
    scene.extendStateRestoration()
    world.tell { [number] in $0.extend(number, by: 1) }
    world.note("session \(number): extends its restoration")
    guard random.number(below: 100) < world.options[.completing] else {
      return world.note(.endlessExtension)
    }
    let clock = world.executor.clock
    let time = Duration.milliseconds(random.number(below: 2 * world.options[.restorationLimit]))
    scene.addTask(SimulatedDelegate.self) {
      try? await clock.sleep(for: time)
    } then: { delegate, scene, _ in
      delegate.world.tell { [number = delegate.number] in $0.extend(number, by: -1) }
      scene.completeStateRestoration()
    }
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    call(scene, .restore)
  }

  // MARK: - States

  func sceneWillEnterForeground(_ scene: isolated Scene) { call(scene, .willEnterForeground) }

  func sceneDidBecomeActive(_ scene: isolated Scene) {
    if scene.application.applicationState != .active {
      world.tell { [number] in $0.find("session \(number) is active, the application is not") }
    }
    call(scene, .didBecomeActive)
  }

  func sceneWillResignActive(_ scene: isolated Scene) { call(scene, .willResignActive) }

  func sceneDidEnterBackground(_ scene: isolated Scene) { call(scene, .didEnterBackground) }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    call(scene, .proceed, activity.number)
  }

  func sceneDidDisconnect(_ scene: isolated Scene) { call(scene, .disconnect) }

  private func call(_ scene: isolated Scene, _ callback: SceneCallback, _ activity: Int = 0) {
    let seen = SceneState(scene.activationState)
    world.tell { [number] in $0.call(number, callback, seen, activity) }
    world.note("session \(number): \(callback), \(seen)")
    behave(scene)
  }

  /// Takes long, or makes a request, as callbacks do.
  private func behave(_ scene: isolated Scene) {
    if !scene.isFound { world.tell { [number] in $0.find("session \(number) denies its scene") } }
    if random.happens(perThousand: world.options[.hog]) {
      world.note(.hog, "in a callback of session \(number)")
      let time = Duration.milliseconds(random.number(below: 2_000))
      world.executor.clock.advance(by: time)
      world.tell { [number] in $0.spend(time, number) }
    }
    guard random.happens(perThousand: world.options[.requesting]),
      !world.isClosing
    else { return }
    SimulatedRequests(world, scene.application).submitAny(&random, from: scene.persistentIdentifier)
  }

  // MARK: - Messages

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    take(NumberedMessage(message), scene)
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    let numbered = NumberedMessage(message)
    // Number 0 asks for what there is.
    guard numbered.number > 0 else {
      catchUp(scene)
      return isWithheld ? "" : SceneMessage(counts.text)
    }
    if number % 7 == 3 {
      // As a delegate that does not answer calls.
      scene.isUnhandled = true
    } else {
      take(numbered, scene)
    }
    return message
  }

  private func take(_ message: NumberedMessage, _ scene: isolated Scene) {
    catchUp(scene)
    let before = counts
    counts[message.sender] = Int32(message.number)
    world.tell { [number] in $0.take(message, number) }
    world.note("session \(number): took \(message)")
    scene.setNeedsCapture()
    emit(scene, after: before)
    guard random.happens(perThousand: world.options[.effects]) else { return }
    let world = world
    let (counts, number) = (counts, number)
    let drops = world.tell { $0.sessions[number].drops }
    // A session that captures nothing has nothing to come back to.
    guard !AdmissionReplay.Rules.capturesNothing(number), !isWithheld else { return }
    scene.afterDurable {
      world.note("session \(number): effect of \(counts.text)")
      world.tell { $0.acknowledge(counts, of: number, drops: drops) }
    }
  }

  /// Shows clients the counts: all of them, or what a message has changed.
  private func emit(_ scene: isolated Scene, after before: MessageCounts? = nil) {
    let isCaptured = !AdmissionReplay.Rules.capturesNothing(number) && !isWithheld
    let drops = world.tell { [number] in $0.sessions[number].drops }
    let frame = SimulatedFrame(before: before, counts, drops: isCaptured ? drops : nil)
    scene.emit(frame.message)
  }

  func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {
    catchUp(scene)
    emit(scene)
  }

  /// Takes up a state that was withheld, once it can be had.
  private func catchUp(_ scene: isolated Scene) {
    guard isWithheld else { return }
    let saved = scene.session.stateRestorationActivity
    // Session by session becomes available, and one that has none is told from the lock alone.
    guard saved != nil || !world.isLocked else { return }
    isWithheld = false
    let restored = saved?.title.flatMap { MessageCounts(text: $0) }
    counts = world.tell { [number] model in
      model.restoreLate(number, restored)
      return model.sessions[number].taken
    }
    emit(scene)
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    catchUp(scene)
    call(scene, .capture)
    if isWithheld { return nil }
    captures = (captures + 1) & 0xFFFF
    let isOversize = random.happens(perThousand: world.options[.oversize])
    let isNothing = AdmissionReplay.Rules.capturesNothing(number)
    let captured = isNothing ? nil : counts
    let isKept = world.hasKey && (isNothing || !isOversize)
    world.tell { [number] in $0.capture(number, captured, isKept: isKept) }
    if isNothing { return nil }
    var activity = UserActivity.numbered(captures)
    activity.title = counts.text
    if isOversize {
      world.note(.oversizeState, "of session \(number)")
      activity.userInfo["excess"] = .data([UInt8](repeating: 0, count: SimulatedLife.stateLimit))
    }
    return activity
  }

  func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
    number % 2 == 0 ? [UInt8(truncatingIfNeeded: captures)] : nil
  }
}

/// An application delegate that chooses configurations, for some sessions a wrong one.
final class SimulatedApplicationDelegate: ConfiguringApplicationDelegate {
  private let world: SimulatedWorld

  init(_ world: SimulatedWorld) {
    self.world = world
  }

  func applicationDidFinishLaunching(_ application: isolated Application) {
    if world.options[.extensionCrashes] == 1 { application.extendStateRestoration() }
  }

  func application(
    _ application: isolated Application, configurationForConnecting session: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    let number = session.id.number
    world.tell { model in
      if model.sessions[number].isKept { model.find("session \(number) was configured again") }
    }
    guard world.options[.configuration] == 2, number % 4 == 2 else { return session.configuration }
    world.note(.misconfiguration, "of session \(number)")
    return SceneConfiguration(name: nil, sessionRole: .windowExternalDisplay)
  }

  func application(
    _ application: isolated Application, didDiscardSceneSessions sessions: [SceneSession]
  ) {
    for session in sessions {
      let number = session.id.number
      guard application.session(session.id) != nil else { continue }
      world.tell { $0.find("session \(number) was reported as discarded, and is open") }
    }
  }
}

extension Scene {
  /// Whether every look-up finds the scene and its session, as it has to in each callback.
  package var isFound: Bool {
    let session = persistentIdentifier
    return application.scene(for: session) === self && application.session(session) != nil
      && application.openSessions.contains(session)
  }
}
