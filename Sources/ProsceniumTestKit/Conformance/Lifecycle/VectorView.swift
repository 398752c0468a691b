// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// Everything that a suite can look at, at one moment, by its labels.
struct VectorView: Sendable {
  let recorder: LifecycleRecorder
  /// The application; nil while its process does not run.
  let application: Application?
  let store: InMemorySessionStore
  /// Scenes as they see themselves, where that is known.
  var scenes: [SceneLabel: SceneState] = [:]
  /// Sessions as a callback hands them out.
  var sessions: [SessionIdentifier: SceneSession] = [:]

  // MARK: - Sets

  var openSessions: Set<SessionLabel> {
    labels(application?.openSessions.map(\.persistentIdentifier) ?? [])
  }

  var connectedScenes: Set<SceneLabel> {
    Set((application?.connectedScenes ?? []).map { recorder.label(of: $0) })
  }

  /// The rows in the store, but for those that wait to be discarded.
  var storedSessions: Set<SessionLabel> {
    labels(store.sessions.map(\.persistentIdentifier))
  }

  var discardedSessions: Set<SessionLabel> { recorder.state.withLock { $0.discarded } }

  func set(_ name: VectorExpectation.SetName) -> Set<SessionLabel> {
    switch name {
    case .openSessions: openSessions
    case .storedSessions: storedSessions
    case .discardedSessions: discardedSessions
    case .connectedSessions: Set(connectedScenes.map(\.session))
    }
  }

  private func labels(_ identifiers: [SessionIdentifier]) -> Set<SessionLabel> {
    Set(identifiers.map { recorder.label($0) })
  }

  // MARK: - Sessions

  /// A session as the callback has it, as the application has it, or as it was when it ended.
  func session(_ label: SessionLabel) -> SceneSession? {
    let identifier = recorder.identifier(label)
    return sessions[identifier] ?? application?.session(identifier)
      ?? recorder.state.withLock { $0.gone[identifier] }
  }

  /// Whether a refresh of a session is pending; only the application knows.
  func hasPendingRefresh(_ label: SessionLabel) -> Bool {
    application?.session(recorder.identifier(label))?.hasPendingRefresh ?? false
  }

  func scene(of label: SessionLabel) -> SceneLabel? {
    application?.scene(for: recorder.identifier(label)).map { recorder.label(of: $0) }
  }

  func storedSession(_ label: SessionLabel) -> StoredSession? {
    let identifier = recorder.identifier(label)
    let all = store.sessions + store.discardedSessions
    return all.first { $0.persistentIdentifier == identifier }
  }

  // MARK: - Scenes

  /// What is known of a scene: by itself, by what anybody can see of it, or that it is gone.
  func scene(_ label: SceneLabel) -> SceneState? {
    if let state = scenes[label] { return state }
    let (isKnown, scene, token) = recorder.state.withLock { state in
      (state.book.isKnown(label), state.book.scene(label), state.book.delegate(label))
    }
    guard isKnown else { return nil }
    let session = scene == nil ? nil : application?.session(recorder.identifier(label.session))
    return SceneState(
      activationState: scene?.activationState ?? .unattached, delegateClass: token?.delegateClass,
      sceneClass: session?.configuration.sceneClass, session: session)
  }

  /// Whether a scene and its delegate are gone.
  func isReleased(_ label: SceneLabel) -> Bool {
    recorder.state.withLock { state in
      state.book.isKnown(label) && state.book.scene(label) == nil
        && state.book.delegate(label) == nil
    }
  }

  // MARK: - Invariants

  /// What must hold at every moment and does not.
  var violations: [String] {
    var violations: [String] = []
    // Read before and after: a session can open or end while scenes are collected.
    let before = openSessions
    let connected = Set(connectedScenes.map(\.session))
    let closed = connected.subtracting(before).subtracting(openSessions)
    if !closed.isEmpty {
      violations.append("expected every connected session to be open, found \(Self.text(closed))")
    }
    let undead = before.intersection(discardedSessions)
    if !undead.isEmpty {
      violations.append("expected no discarded session to be open, found \(Self.text(undead))")
    }
    return violations
  }

  /// What does not hold while a scene calls, and has to: every look-up finds it and its session.
  func violation(whileCalling label: SceneLabel) -> String? {
    guard let application else { return nil }
    let session = recorder.identifier(label.session)
    let isFound =
      application.session(session) != nil && application.openSessions.contains(session)
      && openSessions.contains(label.session)
    if isFound, scene(of: label.session) == label { return nil }
    return "expected every look-up to find \(label), which is calling"
  }

  static func text<Label: Comparable & CustomStringConvertible>(_ labels: Set<Label>) -> String {
    "{" + labels.sorted().map(\.description).joined(separator: ", ") + "}"
  }
}

/// What can be read of a scene at one moment.
struct SceneState: Sendable {
  let activationState: Scene.ActivationState
  let delegateClass: String?
  let sceneClass: String?
  /// The session as the scene has it, which may be ahead of what others see.
  let session: SceneSession?
}

extension Scene {
  /// What a suite reads of the scene, on its own executor.
  ///
  /// - Parameter session: The session as a callback was given it, or nil for the scene's own.
  /// - Returns: The state at this moment.
  func stateForSuite(_ session: SceneSession? = nil) -> SceneState {
    SceneState(
      activationState: activationState,
      delegateClass: delegate.map { delegate in
        (delegate as? any NamedSceneDelegate).map { $0.delegateClass(of: self) }
          ?? "\(type(of: delegate))"
      },
      sceneClass: sceneClass, session: session ?? self.session)
  }

  /// The scene's state, for code that runs on its executor unknown to the compiler.
  nonisolated func stateOnExecutor() -> SceneState {
    assumeIsolated { $0.stateForSuite() }
  }
}
