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
    let moved = commands.reduce(into: [ParallelChange]()) { changes, command in
      let before = Set(foreground)
      let sessionsBefore = Set(sessions.keys)
      let activationsBefore = lastActivation
      log = ModelLog()
      carryOut(command)
      branches.append(log)
      changes.append(
        ParallelChange(
          entered: Set(foreground).subtracting(before), left: before.subtracting(foreground),
          sessions: sessionsBefore.symmetricDifference(sessions.keys),
          activations: lastActivation - activationsBefore, touched: log.touched,
          reports: log.entries.contains { $0.description.contains("err(") }))
    }
    outer.append(merged(branches))
    log = outer
    checkIndependence(moved)
  }

  /// What one of several commands changed.
  private struct ParallelChange {
    let entered: Set<ModelLabel>
    let left: Set<ModelLabel>
    let sessions: Set<ModelLabel>
    let activations: Int
    let touched: Set<ModelLabel>
    let reports: Bool
  }

  /// Joins the logs of commands for the same session into one sequence.
  private func merged(_ branches: [ModelLog]) -> [ModelLog] {
    branches.reduce(into: []) { merged, branch in
      let same = merged.firstIndex { !$0.touched.isDisjoint(with: branch.touched) }
      if let same { merged[same].follow(with: branch) } else { merged.append(branch) }
    }
  }

  private mutating func checkIndependence(_ changes: [ParallelChange]) {
    if setup.notes != .none { doubts.append("notifications of several commands") }
    if changes.contains(where: { $0.touched.count > 1 }) {
      doubts.append("several commands of which one moves two scenes")
    }
    let entered = changes.filter { !$0.entered.isEmpty }.count
    let left = changes.filter { !$0.left.isEmpty }.count
    if entered > 0 && left > 0 || entered > 1 { doubts.append("several changes of the foreground") }
    let activating = Set(changes.filter { $0.activations > 0 }.flatMap(\.touched))
    if activating.count > 1 { doubts.append("several activations") }
    if changes.filter({ !$0.sessions.isEmpty }).count > 1 {
      doubts.append("several sessions come or go")
    }
    for (index, change) in changes.enumerated() {
      if change.reports, changes[..<index].contains(where: { !$0.sessions.isEmpty }) {
        doubts.append("an error among several commands")
      }
    }
  }
}
