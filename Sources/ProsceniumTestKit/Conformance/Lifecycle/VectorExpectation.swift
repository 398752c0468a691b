// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// What has to hold at a moment; what it does not name is not looked at.
///
/// A field of two optionals tells an expected `null` from one that is not looked at.
struct VectorExpectation: Sendable {
  enum State: String, Sendable, CaseIterable {
    case active, inactive, background
  }

  enum DiscardReason: String, Sendable, CaseIterable {
    case standard, commit, decline
  }

  /// A set of sessions that has to have nothing in common with another one.
  enum SetName: String, Sendable, CaseIterable {
    case openSessions, storedSessions, discardedSessions, connectedSessions
  }

  struct Failure: Sendable {
    let op: String?
    let code: String?
    let number: Int??
  }

  struct Route: Sendable {
    let rule: RoutingRule?
    let candidates: Set<SessionLabel>?
    let chosen: SessionLabel??
  }

  var process: VectorSetup.Process?
  var applicationState: State?
  var openSessions: Set<SessionLabel>?
  var storedSessions: Set<SessionLabel>?
  var connectedScenes: Set<SceneLabel>?
  var sessions: [(label: SessionLabel, fields: SessionFields)] = []
  var stored: [(label: SessionLabel, fields: SessionFields)] = []
  var scenes: [(label: SceneLabel, fields: SceneFields)] = []
  var released: [SceneLabel] = []
  var failures: [Failure]?
  var discardReasons: [(label: SessionLabel, reason: DiscardReason)] = []
  var lastRoute: Route?
  var disjoint: [(SetName, SetName)] = []

  /// What of it does not depend on how long scenes are kept.
  var ofStore: VectorExpectation {
    var kept = self
    kept.process = nil
    kept.applicationState = nil
    kept.openSessions = nil
    kept.connectedScenes = nil
    kept.sessions = []
    kept.scenes = []
    kept.released = []
    kept.failures = nil
    kept.discardReasons = []
    kept.lastRoute = nil
    return kept
  }
}

// Reading.
extension VectorExpectation {
  private enum Op: String, CaseIterable {
    case launch, connect, activate, destroy, disconnect, restore, userInfo, predicate
  }

  private enum Code: String, CaseIterable {
    case sceneLifecycleRequired, roleMismatch, multipleScenesNotSupported, requestDenied
    case notInBackground, restorationTimedOut, notPropertyList, syntax, operatorNotAllowed
    case blockNotAllowed, keyPathNotAllowed, variableNotAllowed, functionNotAllowed, typeMismatch
    case argument, limitExceeded
  }

  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys(
      "process", "applicationState", "openSessions", "storedSessions", "connectedScenes",
      "sessions", "stored", "scenes", "released", "errors", "discardReasons", "lastRoute",
      "disjoint")
    process = try node.optional("process")?.word(VectorSetup.Process.self)
    applicationState = try node.optional("applicationState")?.word(State.self)
    openSessions = try node.optional("openSessions").map(Self.sessions)
    storedSessions = try node.optional("storedSessions").map(Self.sessions)
    connectedScenes = try node.optional("connectedScenes").map { (node) throws(JSONFileError) in
      Set(try Self.scenes(node))
    }
    for (key, fields) in try node.optional("sessions")?.members() ?? [] {
      sessions.append((try Self.session(key, fields), try SessionFields(ofSession: fields)))
    }
    for (key, fields) in try node.optional("stored")?.members() ?? [] {
      stored.append((try Self.session(key, fields), try SessionFields(stored: fields)))
    }
    for (key, fields) in try node.optional("scenes")?.members() ?? [] {
      guard let label = SceneLabel(key) else {
        throw fields.failure(
          .unknownKey, "the label of a scene, such as S1#1", found: JSONValue.excerpt(key))
      }
      scenes.append((label, try SceneFields(fields)))
    }
    released = try node.optional("released").map(Self.scenes) ?? []
    failures = try node.optional("errors").map(Self.failures)
    for (key, reason) in try node.optional("discardReasons")?.members() ?? [] {
      discardReasons.append((try Self.session(key, reason), try reason.word(DiscardReason.self)))
    }
    lastRoute = try node.optional("lastRoute").map(Self.route)
    for pair in try node.optional("disjoint")?.elements() ?? [] {
      let sets = try pair.elements()
      guard sets.count == 2 else {
        throw pair.failure(.outOfRange, "two sets", found: "\(sets.count)")
      }
      disjoint.append((try sets[0].word(SetName.self), try sets[1].word(SetName.self)))
    }
  }

  private static func session(
    _ key: String, _ node: JSONNode
  ) throws(JSONFileError) -> SessionLabel {
    guard let label = SessionLabel(key) else {
      throw node.failure(
        .unknownKey, "the label of a session, such as S1", found: JSONValue.excerpt(key))
    }
    return label
  }

  private static func sessions(_ node: JSONNode) throws(JSONFileError) -> Set<SessionLabel> {
    var labels: Set<SessionLabel> = []
    for element in try node.elements() { labels.insert(try SessionLabel(element)) }
    return labels
  }

  private static func scenes(_ node: JSONNode) throws(JSONFileError) -> [SceneLabel] {
    var labels: [SceneLabel] = []
    for element in try node.elements() { labels.append(try SceneLabel(element)) }
    return labels
  }

  private static func failures(_ node: JSONNode) throws(JSONFileError) -> [Failure] {
    var failures: [Failure] = []
    for element in try node.elements() {
      try element.checkKeys("op", "code", "number")
      failures.append(
        Failure(
          op: try element.optional("op")?.word(Op.self).rawValue,
          code: try element.optional("code")?.word(Code.self).rawValue,
          number: try element.optional("number").map { (node) throws(JSONFileError) in
            try node.unlessNull?.integer(in: 0...1_000_000)
          }))
    }
    return failures
  }

  private static func route(_ node: JSONNode) throws(JSONFileError) -> Route {
    try node.checkKeys("rule", "candidates", "chosen")
    return Route(
      rule: try node.optional("rule")?.word(RoutingRule.self),
      candidates: try node.optional("candidates").map(sessions),
      chosen: try node.optional("chosen").map { (node) throws(JSONFileError) in
        try node.unlessNull.map(SessionLabel.init)
      })
  }
}
