// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumTestKit

/// Several commands at once.
extension LifecycleModel {
  /// Carries out commands that do not wait for one another.
  ///
  /// Those of one session keep their order; nothing orders the others. Where one could have an
  /// influence on another the outcome is open.
  mutating func parallel(_ commands: [ModelCommand]) {
    var outer = log
    var branches: [ModelLog] = []
    var changes: [ParallelChange] = []
    for command in commands {
      let before = self
      log = ModelLog()
      carryOut(command)
      branches.append(log)
      changes.append(ParallelChange(command, before: before, after: self))
    }
    outer.append(merged(branches))
    log = outer
    checkIndependence(changes)
  }

  /// Joins the logs of commands for the same session into one sequence.
  private func merged(_ branches: [ModelLog]) -> [ModelLog] {
    branches.reduce(into: []) { merged, branch in
      let same = merged.firstIndex { !$0.touched.isDisjoint(with: branch.touched) }
      if let same { merged[same].follow(with: branch) } else { merged.append(branch) }
    }
  }

  private mutating func checkIndependence(_ changes: [ParallelChange]) {
    if !isRunning { doubts.append("the process ends among several commands") }
    if setup.notes != .none { doubts.append("notifications of several commands") }
    if changes.contains(where: { $0.touched.count > 1 }) {
      doubts.append("several commands of which one moves two scenes")
    }
    let entering = changes.count { !$0.entered.isEmpty }
    if entering > 1 || entering == 1 && changes.contains(where: { !$0.left.isEmpty }) {
      doubts.append("several changes of the foreground")
    }
    if Set(changes.filter(\.activates).flatMap(\.touched)).count > 1 {
      doubts.append("several activations")
    }
    if changes.count(where: { !$0.sessions.isEmpty }) > 1 {
      doubts.append("several sessions come or go")
    }
    if changes.contains(where: \.reports) { doubts.append("an error among several commands") }
    for (index, change) in changes.enumerated() {
      for earlier in changes[..<index] where !earlier.touched.isDisjoint(with: change.touched) {
        guard earlier.isActivation, change.isActivation else {
          doubts.append("different commands for one session")
          continue
        }
        log.situations.insert(
          earlier.connects ? "a session connects while it is activated again" : "activated twice")
      }
    }
  }
}

/// What one of several commands changed.
private struct ParallelChange {
  let entered: Set<ModelLabel>
  let left: Set<ModelLabel>
  /// The sessions that came or went.
  let sessions: Set<ModelLabel>
  /// The sessions that the command is about.
  let touched: Set<ModelLabel>
  let activates: Bool
  let reports: Bool
  let connects: Bool
  /// Whether the command brings a session forward, which is ordered with others that do (R-ACTV-3).
  let isActivation: Bool

  init(_ command: ModelCommand, before: LifecycleModel, after: LifecycleModel) {
    let places = (before: Set(before.foreground), after: Set(after.foreground))
    entered = places.after.subtracting(places.before)
    left = places.before.subtracting(places.after)
    sessions = Set(before.sessions.keys).symmetricDifference(after.sessions.keys)
    activates = after.lastActivation > before.lastActivation
    reports = after.errors.count > before.errors.count
    connects = after.log.edges.contains("—→U")
    var touched = after.log.touched
    var isActivation = false
    switch command {
    case .open(let label, _), .activate(let label?, _, _):
      touched.insert(label)
      isActivation = true
    case .refresh(let label), .setUserInfo(let label, _): touched.insert(label)
    default: break
    }
    self.touched = touched
    self.isActivation = isActivation
  }
}
