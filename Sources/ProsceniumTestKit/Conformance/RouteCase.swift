// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// A case of routing: open sessions, an event, and which session gets it by which rule.
struct RouteCase: Sendable {
  enum State: String, CaseIterable {
    case active, inactive, background, archived
  }

  enum Role: String, CaseIterable {
    case windowApplication, windowExternalDisplay, windowExternalDisplayNonInteractive
  }

  enum Carrier: String, CaseIterable {
    case url, activity, notification, shortcut, share, handoff, activationRequest
  }

  enum Rule: String, CaseIterable {
    case single, recent, prefers, can, new, forced, error
  }

  enum ErrorCode: String, CaseIterable {
    case multipleScenesNotSupported, requestDenied, limitExceeded
  }

  struct Session {
    let label: String
    let identifier: String
    let state: State
    let lastActivated: Int
    let role: Role
    let can: SuiteText?
    let prefers: SuiteText?
  }

  struct Event {
    let carrier: Carrier
    /// What routing looks for: the URL's text, or the target content identifier (spec 3.1).
    let identifier: SuiteText?
    /// The position of the source session in the case.
    let source: Int?
    let role: Role
  }

  struct Expectation {
    let identifier: SuiteText?
    let rule: Rule
    let candidates: Set<Int>
    let chosen: Int?
    let error: ErrorCode?
  }

  let rules: RoutingRules
  let sessions: [Session]
  let event: Event
  let expectation: Expectation

  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys(
      "id", "kind", "basis", "supportsMultipleScenes", "sessionQuota", "sessions", "event",
      "expect", "note")
    rules = RoutingRules(
      supportsMultipleScenes: try node.optional("supportsMultipleScenes")?.bool() ?? true,
      sessionQuota: try node.optional("sessionQuota")?.integer(in: 0...Int(UInt32.max)))
    let nodes = try node.member("sessions").elements()
    var sessions: [Session] = []
    var labels = UniqueNames()
    var identifiers = UniqueNames()
    for node in nodes {
      let session = try Session(node)
      try labels.insert(session.label, node.member("label"))
      try identifiers.insert(session.identifier, node.member("identifier"))
      sessions.append(session)
    }
    self.sessions = sessions
    event = try Event(node.member("event"), sessions)
    expectation = try Expectation(node.member("expect"), sessions)
  }

  /// The position of the session that a label names.
  fileprivate static func session(
    _ node: JSONNode, in sessions: [Session]
  ) throws(JSONFileError) -> Int {
    let label = try node.text()
    let index = sessions.firstIndex { $0.label.utf8.elementsEqual(label.utf8) }
    guard let index else { throw node.failure(.unknownValue, "the label of a session") }
    return index
  }
}

extension RouteCase.Session {
  fileprivate init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys(
      "label", "identifier", "state", "lastActivated", "role", "can", "prefers")
    label = try node.member("label").text()
    identifier = try node.member("identifier").text()
    state = try node.member("state").word(RouteCase.State.self)
    lastActivated = try node.member("lastActivated").integer(in: 0...Int.max)
    role = try node.optional("role")?.word(RouteCase.Role.self) ?? .windowApplication
    can = try node.optional("can").map(SuiteText.init)
    prefers = try node.optional("prefers").map(SuiteText.init)
  }
}

extension RouteCase.Event {
  fileprivate init(
    _ node: JSONNode, _ sessions: [RouteCase.Session]
  ) throws(JSONFileError) {
    try node.checkKeys(
      "carrier", "url", "targetContentIdentifier", "webpageURL", "source", "role")
    carrier = try node.member("carrier").word(RouteCase.Carrier.self)
    let target = try node.optional("targetContentIdentifier")?.unlessNull.map(SuiteText.init)
    let page = try node.optional("webpageURL")?.unlessNull.map(SuiteText.init)
    let url = try node.optional("url")?.unlessNull.map(SuiteText.init)
    switch carrier {
    case .url:
      guard let url else {
        throw node.failure(.missingKey, "the key \"url\"", found: "an event without a URL")
      }
      identifier = url
    case .activity, .handoff, .activationRequest: identifier = target ?? page
    case .notification, .shortcut: identifier = target
    case .share: identifier = nil
    }
    source = try node.optional("source")?.unlessNull.map { (node) throws(JSONFileError) in
      try RouteCase.session(node, in: sessions)
    }
    let role = try node.optional("role")?.word(RouteCase.Role.self)
    // Events from outside are for windows, whatever the case says (R-RT-2).
    self.role = carrier == .activationRequest ? role ?? .windowApplication : .windowApplication
  }
}

extension RouteCase.Expectation {
  fileprivate init(
    _ node: JSONNode, _ sessions: [RouteCase.Session]
  ) throws(JSONFileError) {
    try node.checkKeys("identifier", "rule", "candidates", "chosen", "error")
    identifier = try node.member("identifier").unlessNull.map(SuiteText.init)
    rule = try node.member("rule").word(RouteCase.Rule.self)
    var candidates: Set<Int> = []
    for label in try node.member("candidates").elements() {
      candidates.insert(try RouteCase.session(label, in: sessions))
    }
    self.candidates = candidates
    chosen = try node.member("chosen").unlessNull.map { (node) throws(JSONFileError) in
      try RouteCase.session(node, in: sessions)
    }
    let error = try node.optional("error")
    guard (error != nil) == (rule == .error) else {
      throw node.failure(
        .missingKey, "\"rule\": \"error\" and the key \"error\" together", found: "one of them")
    }
    self.error = try error?.word(RouteCase.ErrorCode.self)
  }
}
