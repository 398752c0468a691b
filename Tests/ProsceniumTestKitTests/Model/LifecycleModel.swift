// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// Predicts what a scene runtime logs for each command of a vector, and its state afterwards.
///
/// It is written from the rules alone and shares no code with the runtime. A value: copying it and
/// trying a command on the copy tells what the command would do.
struct LifecycleModel {
  /// The decision about the last event that was routed (3.3).
  struct Route: Hashable {
    let rule: String
    let candidates: [ModelLabel]
    let chosen: ModelLabel?
  }

  struct ReportedError: Hashable {
    let operation: String
    let code: String
  }

  let setup: ModelSetup
  /// The activities, which a vector may change.
  var activities: [String: ModelActivity]
  var isRunning: Bool
  var isLocked = false
  var now = 0.0
  /// The open sessions; empty while the process is not running.
  var sessions: [ModelLabel: ModelSession] = [:]
  var store: [ModelLabel: ModelRow] = [:]
  var backups: [String: [ModelLabel: ModelRow]] = [:]
  /// The sessions whose discard the application has not been told of.
  var pendingDiscards: Set<ModelLabel> = []
  var discarded: Set<ModelLabel> = []
  var highestLabel: Int
  /// The number of scenes that each session has had.
  var sceneCounts: [ModelLabel: Int] = [:]
  var lastActivation: Int
  /// The scene that each announced hand-off waits for, by type.
  var announcements: [String: ModelInstance] = [:]
  /// The sessions for which the delegate returned a configuration of its own.
  var configured: Set<ModelLabel> = []
  var disconnected: Set<ModelInstance> = []
  var errors: [ReportedError] = []
  var discardReasons: [ModelLabel: String] = [:]
  var lastRoute: Route?

  /// What the current command has logged.
  var log = ModelLog()
  /// What can be seen inside callbacks, for the lines that are asked for.
  var moments: [String: [JSONValue]] = [:]
  /// The session whose discard is being delivered: no longer open, but still readable.
  var leaving: [ModelLabel: ModelSession] = [:]
  /// Why the outcome of the current command is not determined by the rules; empty if it is.
  var doubts: [String] = []

  init(_ setup: ModelSetup) {
    self.setup = setup
    activities = setup.activities
    isRunning = setup.isRunning
    highestLabel = setup.sessions.map(\.label.number).max() ?? 0
    lastActivation = setup.sessions.map(\.row.lastActivated).max() ?? 0
    for seed in setup.sessions {
      store[seed.label] = seed.row
      sceneCounts[seed.label] = seed.instance
      guard isRunning else { continue }
      var session = ModelSession(row: seed.row)
      if seed.state != .unattached {
        let today = resolve(seed.row) ?? seed.row.configuration
        session.row.configuration = today
        session.scene = ModelScene(
          number: seed.instance, configuration: today, state: seed.state)
      }
      sessions[seed.label] = session
    }
  }

  /// Carries out a command.
  ///
  /// - Parameter command: A command that is legal now.
  /// - Returns: What is logged for it.
  mutating func perform(_ command: ModelCommand) -> [ModelEntry] {
    doubts = []
    log = ModelLog()
    let before = applicationState
    carryOut(command)
    if setup.notes != .none, !log.insertNotes(from: before, to: applicationState) {
      doubts.append("the place of the application's notification")
    }
    return log.entries
  }

  // MARK: - Views

  /// The state of the most active scene (R-AGG-1); background if there is none.
  var applicationState: ModelState {
    max(.background, sessions.values.map(\.state).max() ?? .background)
  }

  /// The labels of sessions that fit, in ascending order.
  func labels(where fits: (ModelSession) -> Bool) -> [ModelLabel] {
    sessions.filter { fits($0.value) }.keys.sorted()
  }

  var foreground: [ModelLabel] { labels { $0.state.isForeground } }

  func state(of label: ModelLabel) -> ModelState { sessions[label]?.state ?? .unattached }

  /// The sessions whose end is not decided: those that requests and events can be for.
  var admitted: [ModelLabel: ModelSession] { sessions.filter { $0.value.end == nil } }

  /// Whether the session's later commands wait for the restoration of its scene, or of the scene
  /// that it gives way to.
  func isParked(_ label: ModelLabel) -> Bool {
    sessions[label]?.scene?.held != nil
      || sessions.values.contains { $0.scene?.held?.victim == label }
  }

  // MARK: - Lines

  mutating func write(_ line: String) {
    log.write(line)
    guard moments[line] != nil else { return }
    let moment = observation
    moments[line]?.append(moment)
  }

  /// Writes a line of a scene.
  mutating func write(_ label: ModelLabel, _ line: String) {
    guard let scene = sessions[label]?.scene else { return }
    log.touched.insert(label)
    write("\(label)#\(scene.number).\(line)")
  }

  mutating func report(_ operation: String, _ code: String) {
    errors.append(ReportedError(operation: operation, code: code))
    write("err(\(operation), \(code))")
  }

  mutating func note(_ label: ModelLabel, _ name: String) {
    if setup.notes == .all { write(label, "note(\(name))") }
  }

  /// Lets something happen for each session, in sequences whose order among one another is open.
  mutating func forEachUnordered(
    _ labels: [ModelLabel], _ body: @escaping (inout Self, ModelLabel) -> Void
  ) {
    unordered(labels.map { label in { body(&$0, label) } })
  }

  /// Lets several things happen, in sequences whose order among one another is open.
  mutating func unordered(_ bodies: [(inout Self) -> Void]) {
    guard bodies.count != 1 else { return bodies[0](&self) }
    var outer = log
    var branches: [ModelLog] = []
    for body in bodies {
      log = ModelLog()
      body(&self)
      branches.append(log)
    }
    outer.append(branches)
    log = outer
  }

  // MARK: - Fields

  /// Changes a field in memory and in the store.
  mutating func persist<Value>(
    _ label: ModelLabel, _ field: WritableKeyPath<ModelRow, Value>, _ value: Value
  ) {
    sessions[label]?.row[keyPath: field] = value
    store[label]?[keyPath: field] = value
  }

  /// A copy of an activity as it is now.
  func capture(_ label: String) -> ModelCapture {
    ModelCapture(label: label, userInfo: activities[label]?.userInfo ?? .object([]))
  }
}
