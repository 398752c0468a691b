// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
import Proscenium

/// What has to hold at a moment; what it does not name is not looked at.
struct VectorExpectation: Decodable, Sendable {
  enum State: String, JSONWord {
    case active, inactive, background
  }

  enum Rule: String, JSONWord {
    case single, recent, prefers, can, new, forced
  }

  /// A set of sessions that has to have nothing in common with another one.
  enum SetName: String, JSONWord {
    case openSessions, storedSessions, discardedSessions, connectedSessions
  }

  /// Something that has to hold inside of one callback.
  struct Hook: Decodable, Sendable {
    let line: String
    /// Which of the step's lines of that text is meant, from 1; the first unless given.
    let nth: VectorNumber?
    let expect: VectorExpectation

    var occurrence: Int { nth?.value ?? 1 }
  }

  struct Failure: Decodable, Sendable {
    enum Op: String, JSONWord {
      case launch, connect, activate, destroy, disconnect, restore, userInfo, predicate
    }

    enum Code: String, JSONWord {
      case sceneLifecycleRequired, roleMismatch, multipleScenesNotSupported, requestDenied
      case notInBackground, restorationTimedOut, notPropertyList, syntax, operatorNotAllowed
      case blockNotAllowed, keyPathNotAllowed, variableNotAllowed, functionNotAllowed
      case typeMismatch, argument, limitExceeded
    }

    let op: Op?
    let code: Code?
    let number: Nullable<SuiteCount>?
  }

  struct Route: Decodable, Sendable {
    let rule: Rule?
    let candidates: Set<SessionLabel>?
    let chosen: Nullable<SessionLabel>?
  }

  struct DisjointSets: Decodable, Sendable {
    let names: [SetName]

    init(from decoder: any Decoder) throws {
      names = try [SetName](from: decoder)
      guard names.count == 2 else {
        throw decoder.json.failure(.outOfRange, "two sets", found: "\(names.count)")
      }
    }
  }

  var process: VectorSetup.Process?
  var applicationState: State?
  var openSessions: Set<SessionLabel>?
  var storedSessions: Set<SessionLabel>?
  var connectedScenes: Set<SceneLabel>?
  var sessions: Named<SessionLabel, SessionFields>?
  var stored: Named<SessionLabel, StoredFields>?
  var scenes: Named<SceneLabel, SceneFields>?
  var released: [SceneLabel]?
  var errors: [Failure]?
  var discardReasons: Named<SessionLabel, VectorAnimation>?
  var lastRoute: Route?
  var disjoint: [DisjointSets]?

  /// What of it does not depend on how long scenes are kept.
  var ofStore: VectorExpectation {
    VectorExpectation(storedSessions: storedSessions, stored: stored, disjoint: disjoint)
  }
}

// What does not hold.
extension VectorExpectation {
  /// Says what does not hold, each with its path in the file.
  func differences(in view: VectorView) -> [String] {
    var found = ExpectationDifferences()
    found.compare("process", process, view.application == nil ? "notRunning" : "running")
    found.compare(
      "applicationState", applicationState,
      "\(view.application?.applicationState ?? .background)")
    found.compare("openSessions", set: openSessions, view.openSessions)
    found.compare("storedSessions", set: storedSessions, view.storedSessions)
    found.compare("connectedScenes", set: connectedScenes, view.connectedScenes)
    for (label, fields) in sessions?.members ?? [] {
      found.inside("sessions.\(label)") { fields.compare(label, view, &$0) }
    }
    for (label, fields) in stored?.members ?? [] {
      found.inside("stored.\(label)") { fields.compare(label, view, &$0) }
    }
    for (label, fields) in scenes?.members ?? [] {
      found.inside("scenes.\(label)") { fields.compare(label, view, &$0) }
    }
    for label in released ?? [] where !view.isReleased(label) {
      found.add("released", "\(label) to be gone", "a scene or a delegate that is still alive")
    }
    let state = view.recorder.state.withLock { $0 }
    compare(state.failures, &found)
    for (label, reason) in discardReasons?.members ?? [] {
      found.compare("discardReasons.\(label)", reason, Self.text(state.discardReasons[label]))
    }
    compare(state.lastRoute, &found)
    for sets in disjoint ?? [] {
      let common = view.set(sets.names[0]).intersection(view.set(sets.names[1]))
      if !common.isEmpty {
        found.add(
          "disjoint", "nothing both in \(sets.names[0]) and in \(sets.names[1])",
          VectorView.text(common))
      }
    }
    return found.all
  }

  private func compare(
    _ actual: [LifecycleRecorder.Failure], _ found: inout ExpectationDifferences
  ) {
    guard let errors else { return }
    guard errors.count == actual.count else {
      let list = actual.map { "\($0.op) \($0.code)" }.joined(separator: ", ")
      found.add(
        "errors.count", "\(errors.count)", "\(actual.count)" + (list.isEmpty ? "" : ": \(list)"))
      return
    }
    for (index, (expected, actual)) in zip(errors, actual).enumerated() {
      found.inside("errors[\(index)]") { found in
        found.compare("op", expected.op, actual.op)
        found.compare("code", expected.code, actual.code)
        if let number = expected.number {
          found.compareOptional("number", number.value?.value, actual.number)
        }
      }
    }
  }

  private func compare(
    _ actual: LifecycleRecorder.Route?, _ found: inout ExpectationDifferences
  ) {
    guard let lastRoute else { return }
    guard let actual else { return found.add("lastRoute", "a decision", "none") }
    found.inside("lastRoute") { found in
      found.compare("rule", lastRoute.rule, actual.rule.rawValue)
      found.compare("candidates", set: lastRoute.candidates, actual.candidates)
      if let chosen = lastRoute.chosen {
        found.compareOptional("chosen", chosen.value, actual.chosen)
      }
    }
  }

  private static func text(_ reason: LifecycleEvent.Reason?) -> String {
    switch reason {
    case nil: "none"
    case .dismissed(let animation): "\(animation)"
    case .some(let reason): "\(reason)"
    }
  }
}

/// What differs from an expectation, with the paths of its parts.
struct ExpectationDifferences {
  private(set) var all: [String] = []
  private var path = "expect"

  /// Lets a function add differences of a part.
  mutating func inside(_ part: String, _ body: (inout ExpectationDifferences) -> Void) {
    let outer = path
    path += ".\(part)"
    body(&self)
    path = outer
  }

  /// Compares a part as text, if something is expected of it.
  mutating func compare<Found: CustomStringConvertible>(
    _ part: String, _ expected: (some CustomStringConvertible)?, _ found: @autoclosure () -> Found
  ) {
    guard let expected = expected?.description else { return }
    let found = found().description
    if !expected.utf8.elementsEqual(found.utf8) { add(part, expected, found) }
  }

  /// Compares a part that may be `null`.
  mutating func compareOptional(
    _ part: String, _ expected: (some CustomStringConvertible)?,
    _ found: (some CustomStringConvertible)?
  ) {
    compare(part, expected?.description ?? "null", found?.description ?? "null")
  }

  mutating func compare<Label: Comparable & CustomStringConvertible>(
    _ part: String, set expected: Set<Label>?, _ found: @autoclosure () -> Set<Label>
  ) {
    compare(part, expected.map { VectorView.text($0) }, VectorView.text(found()))
  }

  mutating func add(_ part: String, _ expected: String, _ found: String) {
    all.append("\(path).\(part): expected \(expected), found \(found)")
  }

  mutating func add(_ expected: String, _ found: String) {
    all.append("\(path): expected \(expected), found \(found)")
  }
}
