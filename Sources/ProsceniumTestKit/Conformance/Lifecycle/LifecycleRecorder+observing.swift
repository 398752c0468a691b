// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

// The runtime's reports, in addition to the callbacks of delegates.
extension LifecycleRecorder {
  func observe(_ event: LifecycleEvent) {
    switch event.kind {
    case .applicationNotification(let notification):
      if notes != .none { log("app.note(\(notification.rawValue))") }
    case .diagnosed(let diagnostic): observe(diagnostic)
    case .failed(let error): observe(error)
    default:
      if let session = event.session { observe(event.kind, session) }
      if case .routed(let decision) = event.kind { arrive(decision) }
    }
  }

  private func observe(_ kind: LifecycleEvent.Kind, _ session: SessionIdentifier) {
    switch kind {
    case .connected:
      let scene = application?.scene(for: session)
      let label = state.withLock { state in
        state.book.connect(scene, to: state.book.label(session))
      }
      log("init", of: label) { scene?.stateOnExecutor() }
    case .transition(let old, let new): move(session, from: old, to: new)
    case .notification(let notification):
      if notes == .all { logOfLastScene("note(\(notification.rawValue))", session) }
    case .snapshotTaken(let variant):
      logOfLastScene(variant.map { "snapshot(\(LogText.atom($0)))" } ?? "snapshot", session)
    case .settledInBackground:
      if !keepsScenes { application?.host.submit(.disconnect(session)) }
    case .discarded(let reason):
      state.withLock { state in
        state.discardReasons[state.book.label(session)] = reason
      }
    default: break
    }
  }

  var application: Application? { state.withLock { $0.application.object } }

  private func logOfLastScene(_ call: String, _ session: SessionIdentifier) {
    let label = state.withLock { $0.book.lastScene(of: $0.book.label(session)) }
    log(call, of: label) { application?.scene(for: session)?.stateOnExecutor() }
  }

  // MARK: - Diagnostics and errors

  private func observe(_ diagnostic: Diagnostic) {
    switch diagnostic {
    case .forcedRoute, .configurationNotFound, .undeclaredActivityType, .unhandledEvent:
      log("log(\(diagnostic.name))")
    default: break
    }
  }

  private func observe(_ error: SceneError) {
    let op =
      switch error.code {
      case .restorationTimedOut: "restore"
      case .roleMismatch: "connect"
      default: "launch"
      }
    fail(op, error.code)
  }

  /// What a command does with its error, unless it was reported where it happened.
  func failed(_ op: String, _ error: SceneError) {
    switch error.code {
    case .restorationTimedOut, .roleMismatch: return
    // What is on its way when the application ends is not refused.
    case .notRunning where application?.isEnding ?? true: return
    default: fail(op, error.code)
    }
  }

  // MARK: - States

  private static let edges: [Scene.ActivationState: Set<Scene.ActivationState>] = [
    .unattached: [.background],
    .background: [.foregroundInactive, .unattached],
    .foregroundInactive: [.foregroundActive, .background, .unattached],
    .foregroundActive: [.foregroundInactive],
  ]

  private func move(
    _ session: SessionIdentifier, from old: Scene.ActivationState,
    to new: Scene.ActivationState
  ) {
    state.withLock { state in
      let label = state.book.lastScene(of: state.book.label(session))
      let known = state.book.setState(new, of: label)
      guard known != old || Self.edges[old]?.contains(new) != true else { return }
      state.differences.append(
        "\(label): the state may not move from \(SceneFields.State(known).rawValue) "
          + "to \(SceneFields.State(new).rawValue)")
    }
  }

  // MARK: - Discards

  /// Notes sessions that the application delegate was told of, after their line was written.
  func discard(_ sessions: [SceneSession]) {
    let labels = state.withLock { state in
      let labels = sessions.map { state.book.label($0.persistentIdentifier) }.sorted()
      for session in sessions {
        state.gone[session.persistentIdentifier] = session
      }
      return labels
    }
    log(
      "app.didDiscardSceneSessions{\(labels.map(\.description).joined(separator: ", "))}",
      naming: labels, values: sessions)
    let isRecording = state.withLock { state in
      if state.isRecording { state.discarded.formUnion(labels) }
      return state.isRecording
    }
    guard isRecording else { return }
    for violation in view.violations { note("during app.didDiscardSceneSessions: \(violation)") }
  }

  /// Takes back what was discarded, for sessions that another store has again.
  func revive(_ labels: [SessionLabel]) {
    state.withLock { $0.discarded.subtract(labels) }
  }
}

extension SceneError.Code {
  /// The name of the code in the suites, which compare by UIKit's codes where it has one.
  var suiteName: String { uiKitCode == 1 ? "requestDenied" : description }
}
