// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Proscenium

/// The one log of a vector's run: callbacks and observers of all scenes write to it, line by line.
///
/// The invariants of a callback are checked when its line is written.
final class LifecycleRecorder: Sendable {
  /// An error as it was reported.
  struct Failure: Sendable {
    let op: String
    let code: String
    let number: Int?
  }

  /// Where the last event went.
  struct Route: Sendable {
    let rule: RoutingRule
    let candidates: Set<SessionLabel>
    let chosen: SessionLabel?
  }

  struct State: Sendable {
    var book = LabelBook()
    /// Watches the order of what the application of this process reports.
    var witness = OrderingWitness()
    /// Nothing is logged and scripts are inert while the setup is built.
    var isRecording = false
    var lines: [String] = []
    var hooks: [VectorExpectation.Hook] = []
    var occurrences: [String: Int] = [:]
    var differences: [String] = []
    var failures: [Failure] = []
    var discarded: Set<SessionLabel> = []
    /// The sessions that the application delegate was told of, as they were then.
    var gone: [SessionIdentifier: SceneSession] = [:]
    var discardReasons: [SessionLabel: LifecycleEvent.Reason] = [:]
    var expectedRoutes: [ExpectedRoute] = []
    var routeCount = 0
    var lastRoute: Route?
    var returned: [SessionLabel: SceneConfiguration] = [:]
    var application = WeakReference<Application>(nil)
    var store = InMemorySessionStore()
  }

  /// An event that was submitted and is to be routed.
  struct ExpectedRoute: Sendable {
    let number: Int
    let identifier: String?
    let source: SessionIdentifier?
    /// Where it would go when it was submitted; nil before the launch.
    let route: Route?
    /// Where the event before it went.
    let last: Route?
  }

  let state = Guarded(State())
  let notes: VectorSetup.Notes
  /// Whether scenes stay connected in the background.
  let keepsScenes: Bool

  init(notes: VectorSetup.Notes, keepsScenes: Bool) {
    self.notes = notes
    self.keepsScenes = keepsScenes
  }

  // MARK: - The run

  /// Says which application and which store the following lines are about.
  func follow(_ application: Application?, _ store: InMemorySessionStore) {
    state.withLock { state in
      state.application = WeakReference(application)
      state.store = store
      state.witness = OrderingWitness()
      state.expectedRoutes = []
    }
  }

  /// Says that the application's process has ended.
  func leave() {
    state.withLock { $0.application = WeakReference(nil) }
  }

  var isRecording: Bool { state.withLock { $0.isRecording } }

  func setRecording(_ isRecording: Bool) {
    state.withLock { $0.isRecording = isRecording }
  }

  /// Begins a step: forgets the lines so far and takes its hooks.
  func beginStep(_ hooks: [VectorExpectation.Hook]) {
    state.withLock { state in
      state.lines = []
      state.occurrences = [:]
      state.hooks = hooks
    }
  }

  /// The lines since the step began.
  var lines: [String] { state.withLock { $0.lines } }

  /// What did not hold inside of callbacks, and hooks whose line did not come.
  func takeDifferences() -> [String] {
    state.withLock { state in
      defer { state.differences = [] }
      let missing = state.hooks.filter { hook in
        (state.occurrences[hook.line] ?? 0) < hook.occurrence
      }
      return state.differences
        + missing.map { hook in
          let count = state.occurrences[hook.line] ?? 0
          return "during \(hook.line): expected the line \(hook.occurrence) times, found \(count)"
        }
    }
  }

  // MARK: - Lines

  /// Writes a line about no scene.
  func log(_ line: String, naming sessions: [SessionLabel] = [], values: [SceneSession] = []) {
    write(line, naming: sessions) { view in
      for session in values { view.sessions[session.persistentIdentifier] = session }
    }
  }

  /// Writes a line of a scene; `scene` is asked for its state only if something has to be checked.
  func log(_ call: String, of label: SceneLabel, _ scene: () -> SceneState?) {
    write("\(label).\(call)", naming: [label.session]) { view in
      guard let state = scene() else { return }
      view.scenes[label] = state
      if let session = state.session { view.sessions[session.persistentIdentifier] = session }
    }
    guard isRecording, let violation = view.violation(whileCalling: label) else { return }
    note("during \(label).\(call): \(violation)")
  }

  private func write(
    _ line: String, naming sessions: [SessionLabel], _ complete: (inout VectorView) -> Void
  ) {
    let due = state.withLock { state -> [VectorExpectation.Hook] in
      guard state.isRecording else { return [] }
      state.lines.append(line)
      for session in sessions where state.discarded.contains(session) {
        state.differences.append("\(line): \(session) was discarded before")
      }
      let occurrence = (state.occurrences[line] ?? 0) + 1
      state.occurrences[line] = occurrence
      return state.hooks.filter {
        $0.occurrence == occurrence && $0.line.utf8.elementsEqual(line.utf8)
      }
    }
    guard !due.isEmpty else { return }
    var view = view
    complete(&view)
    for hook in due {
      for difference in hook.expect.differences(in: view) {
        note("during \(line): \(difference)")
      }
    }
  }

  /// Notes something that does not hold.
  func note(_ difference: String) {
    state.withLock { $0.differences.append(difference) }
  }

  /// Writes and keeps an error that was reported.
  func fail(_ op: String, _ code: String, number: Int? = nil) {
    state.withLock { state in
      if state.isRecording {
        state.failures.append(Failure(op: op, code: code, number: number))
      }
    }
    log("err(\(op), \(code))")
  }

  /// Writes and keeps what was refused before the runtime saw it.
  func fail(_ op: String, _ code: SceneError.Code) {
    fail(op, code.suiteName, number: code.uiKitCode)
  }

  func fail(_ refusal: Refusal) { fail(refusal.op, refusal.code) }

  // MARK: - Labels

  func label(_ session: SessionIdentifier) -> SessionLabel {
    state.withLock { $0.book.label(session) }
  }

  func identifier(_ label: SessionLabel) -> SessionIdentifier {
    state.withLock { $0.book.identifier(label) }
  }

  func label(of scene: Scene) -> SceneLabel {
    state.withLock { $0.book.label(of: scene) }
  }

  func scene(_ label: SceneLabel) -> Scene? {
    state.withLock { $0.book.scene(label) }
  }

  /// Identifiers for new sessions; labels follow the order in which sessions are admitted.
  var identifiers: SessionIdentifierSource {
    SessionIdentifierSource { [self] in state.withLock { $0.book.makeIdentifier() } }
  }

  /// The state of everything at this moment.
  var view: VectorView {
    let (application, store) = state.withLock { ($0.application.object, $0.store) }
    return VectorView(recorder: self, application: application, store: store)
  }
}
