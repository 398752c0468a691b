// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The labels of sessions and scenes.
///
/// An identifier that was never seen is a new label, a known one keeps its own, so that a reused or
/// changed identifier shows up as a wrong label.
struct LabelBook: Sendable {
  private struct KnownScene: Sendable {
    let scene: WeakReference<Scene>
    var delegate = WeakReference<DelegateToken>(nil)
    var state = Scene.ActivationState.unattached
  }

  private var labels: [SessionIdentifier: SessionLabel] = [:]
  private var identifiers: [SessionLabel: SessionIdentifier] = [:]
  private var highest = 0
  private var instances: [SessionLabel: Int] = [:]
  private var scenes: [SceneLabel: KnownScene] = [:]

  // MARK: - Sessions

  /// Gives a session the label that a setup has for it.
  mutating func enter(_ label: SessionLabel, _ identifier: SessionIdentifier) {
    labels[identifier] = label
    identifiers[label] = identifier
    highest = max(highest, label.number)
  }

  /// Makes the identifier of a new session, which has the next label.
  mutating func makeIdentifier() -> SessionIdentifier {
    let label = SessionLabel(number: highest + 1)
    // A setup may have given an identifier away.
    var attempt: UInt64 = 0
    while labels[label.newIdentifier(attempt: attempt)] != nil { attempt += 1 }
    enter(label, label.newIdentifier(attempt: attempt))
    return label.newIdentifier(attempt: attempt)
  }

  /// The label of a session; the next one if it was never seen.
  mutating func label(_ identifier: SessionIdentifier) -> SessionLabel {
    if let label = labels[identifier] { return label }
    let label = SessionLabel(number: highest + 1)
    enter(label, identifier)
    return label
  }

  /// The identifier of a session; for a label that was never used, one that no session has.
  func identifier(_ label: SessionLabel) -> SessionIdentifier {
    identifiers[label] ?? label.defaultIdentifier
  }

  // MARK: - Scenes

  /// Says how many scenes a session has had.
  mutating func setInstances(_ count: Int, of label: SessionLabel) {
    instances[label] = count
  }

  /// Counts a new scene of a session.
  mutating func connect(_ scene: Scene?, to session: SessionLabel) -> SceneLabel {
    let label = SceneLabel(session, instance: (instances[session] ?? 0) + 1)
    instances[session] = label.instance
    scenes[label] = KnownScene(scene: WeakReference(scene))
    return label
  }

  /// The label of a session's last scene.
  func lastScene(of session: SessionLabel) -> SceneLabel {
    SceneLabel(session, instance: instances[session] ?? 0)
  }

  /// The label of a scene; a new one if it was never announced.
  mutating func label(of scene: Scene) -> SceneLabel {
    let session = label(scene.persistentIdentifier)
    let known = scenes.first { $0.key.session == session && $0.value.scene.object === scene }
    return known?.key ?? connect(scene, to: session)
  }

  /// Notes the delegate that a scene was given.
  mutating func setDelegate(_ token: DelegateToken, of label: SceneLabel) {
    scenes[label]?.delegate = WeakReference(token)
  }

  /// Notes a scene's new state and returns the one that it had.
  mutating func setState(
    _ state: Scene.ActivationState, of label: SceneLabel
  ) -> Scene.ActivationState {
    defer { scenes[label]?.state = state }
    return scenes[label]?.state ?? .unattached
  }

  func scene(_ label: SceneLabel) -> Scene? {
    scenes[label]?.scene.object
  }

  func delegate(_ label: SceneLabel) -> DelegateToken? {
    scenes[label]?.delegate.object
  }

  func isKnown(_ label: SceneLabel) -> Bool {
    scenes[label] != nil
  }
}

/// An object that may be gone.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
  weak let object: Object?

  init(_ object: Object?) {
    self.object = object
  }
}

/// Lives as long as one delegate, and can be looked at from anywhere.
final class DelegateToken: Sendable {
  let delegateClass: String

  init(delegateClass: String) {
    self.delegateClass = delegateClass
  }
}
