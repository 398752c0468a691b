// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Proscenium

// The runtime's reports, in addition to the callbacks of delegates.
extension LifecycleRecorder {
  func observe(_ event: LifecycleEvent) {
    if let violation = state.withLock({ $0.witness.see(event) }) { note(violation) }
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

// Where events go, and among which sessions that was decided.
extension LifecycleRecorder {
  /// Says that an event is submitted.
  ///
  /// The runtime reports where the event went when it gets there, which may be much later; what it
  /// explains now is taken for it until then.
  ///
  /// - Returns: The number by which it can be forgotten, if it is refused.
  func expectRoute(_ identifier: String?, source: SessionIdentifier?) -> Int {
    let route = explain(identifier, source)
    return state.withLock { state in
      state.routeCount += 1
      state.expectedRoutes.append(
        ExpectedRoute(
          number: state.routeCount, identifier: identifier, source: source, route: route,
          last: state.lastRoute))
      if let route { state.lastRoute = route }
      return state.routeCount
    }
  }

  /// Takes back what was said of an event that is refused.
  func forgetRoute(_ number: Int) {
    state.withLock { state in
      guard let index = state.expectedRoutes.firstIndex(where: { $0.number == number }) else {
        return
      }
      state.lastRoute = state.expectedRoutes.remove(at: index).last
    }
  }

  /// Notes where an event went.
  func arrive(_ decision: RoutingDecision) {
    let chosen = decision.session.map { label($0) }
    let (expected, isAsExplained) = state.withLock { state in
      let index = state.expectedRoutes.firstIndex {
        $0.route?.rule == decision.rule && $0.route?.chosen == chosen
      }
      let expected = (index ?? state.expectedRoutes.indices.first).map {
        state.expectedRoutes.remove(at: $0)
      }
      return (expected, index != nil)
    }
    let route =
      isAsExplained ? expected?.route : expected.flatMap { explain($0.identifier, $0.source) }
    // A new session is a candidate of nothing, but there by now.
    let candidates = decision.rule == .new ? [] : route?.candidates ?? []
    state.withLock { state in
      state.lastRoute = Route(rule: decision.rule, candidates: candidates, chosen: chosen)
    }
  }

  private func explain(_ identifier: String?, _ source: SessionIdentifier?) -> Route? {
    guard
      let explanation = try? application?.explain(identifier, source: source, limit: .max)
    else { return nil }
    return Route(
      rule: explanation.rule, candidates: Set(explanation.candidates.map { label($0.session) }),
      chosen: explanation.session.map { label($0) })
  }
}
