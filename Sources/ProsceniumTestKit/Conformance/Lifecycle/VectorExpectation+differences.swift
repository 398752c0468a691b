// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

extension VectorExpectation {
  /// Says what does not hold, each with its path in the file.
  func differences(in view: VectorView) -> [String] {
    var found = ExpectationDifferences(path: "expect")
    compareSets(view, &found)
    for (label, fields) in sessions {
      found.inside("sessions.\(label)") { fields.compare(session: label, view, &$0) }
    }
    for (label, fields) in stored {
      found.inside("stored.\(label)") { fields.compare(stored: label, view, &$0) }
    }
    for (label, fields) in scenes {
      found.inside("scenes.\(label)") { fields.compare(label, view, &$0) }
    }
    for label in released where !view.isReleased(label) {
      found.add("released", "\(label) to be gone", "a scene or a delegate that is still alive")
    }
    compareFailures(view, &found)
    for (label, reason) in discardReasons {
      let actual = view.recorder.state.withLock { $0.discardReasons[label] }
      found.compare("discardReasons.\(label)", reason.rawValue, Self.text(actual))
    }
    compareRoute(view, &found)
    for (left, right) in disjoint {
      let common = view.set(left).intersection(view.set(right))
      if !common.isEmpty {
        found.add(
          "disjoint", "nothing both in \(left.rawValue) and in \(right.rawValue)",
          VectorView.text(common))
      }
    }
    return found.all
  }

  private func compareSets(_ view: VectorView, _ found: inout ExpectationDifferences) {
    if let process {
      found.compare(
        "process", process.rawValue, view.application == nil ? "notRunning" : "running")
    }
    if let applicationState {
      found.compare(
        "applicationState", applicationState.rawValue,
        "\(view.application?.applicationState ?? .background)")
    }
    if let openSessions {
      found.compare(
        "openSessions", VectorView.text(openSessions), VectorView.text(view.openSessions))
    }
    if let storedSessions {
      found.compare(
        "storedSessions", VectorView.text(storedSessions), VectorView.text(view.storedSessions))
    }
    if let connectedScenes {
      found.compare(
        "connectedScenes", VectorView.text(connectedScenes), VectorView.text(view.connectedScenes))
    }
  }

  private func compareFailures(_ view: VectorView, _ found: inout ExpectationDifferences) {
    guard let failures else { return }
    let actual = view.recorder.state.withLock { $0.failures }
    guard failures.count == actual.count else {
      let list = actual.map { "\($0.op) \($0.code)" }.joined(separator: ", ")
      found.add(
        "errors.count", "\(failures.count)", "\(actual.count)" + (list.isEmpty ? "" : ": \(list)"))
      return
    }
    for (index, (expected, actual)) in zip(failures, actual).enumerated() {
      let path = "errors[\(index)]"
      if let op = expected.op { found.compare("\(path).op", op, actual.op) }
      if let code = expected.code { found.compare("\(path).code", code, actual.code) }
      if let number = expected.number {
        found.compare("\(path).number", Self.text(number), Self.text(actual.number))
      }
    }
  }

  private func compareRoute(_ view: VectorView, _ found: inout ExpectationDifferences) {
    guard let lastRoute else { return }
    guard let actual = view.recorder.state.withLock({ $0.lastRoute }) else {
      found.add("lastRoute", "a decision", "none")
      return
    }
    if let rule = lastRoute.rule {
      found.compare("lastRoute.rule", rule.rawValue, actual.rule.rawValue)
    }
    if let candidates = lastRoute.candidates {
      found.compare(
        "lastRoute.candidates", VectorView.text(candidates), VectorView.text(actual.candidates))
    }
    if let chosen = lastRoute.chosen {
      found.compare("lastRoute.chosen", Self.text(chosen), Self.text(actual.chosen))
    }
  }

  static func text(_ value: (some CustomStringConvertible)?) -> String {
    value?.description ?? "null"
  }

  private static func text(_ reason: LifecycleEvent.Reason?) -> String {
    switch reason {
    case nil: "none"
    case .dismissed(let animation): "\(animation)"
    case .some(let reason): "\(reason)"
    }
  }
}
