// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium
import ProsceniumPredicate

/// A case of routing: open sessions, an event, and which session gets it by which rule.
struct RouteCase: RoutingSuite.Case {
  enum Carrier: String, JSONWord {
    case url, activity, notification, shortcut, share, handoff, activationRequest
  }

  enum Rule: String, JSONWord {
    case single, recent, prefers, can, new, forced, error
  }

  enum ErrorCode: String, JSONWord {
    case multipleScenesNotSupported, requestDenied, limitExceeded
  }

  struct Session: Decodable {
    let label: String
    let identifier: String
    let state: SuiteState
    let lastActivated: SuiteCount
    let role: SuiteRole?
    let can: SuiteText?
    let prefers: SuiteText?

    func conditions() throws(PredicateFormatError) -> SceneActivationConditions {
      var conditions = SceneActivationConditions()
      if let can { conditions.can = try ContentPredicate(format: can.string, arguments: []) }
      if let prefers {
        conditions.prefers = try ContentPredicate(format: prefers.string, arguments: [])
      }
      return conditions
    }
  }

  struct Event: Decodable {
    let carrier: Carrier
    let url: Nullable<SuiteText>?
    let targetContentIdentifier: Nullable<SuiteText>?
    let webpageURL: Nullable<SuiteText>?
    let source: Nullable<String>?
    let role: SuiteRole?

    /// What routing looks for: the URL's text, or the target content identifier.
    var identifier: String? {
      switch carrier {
      case .url: url?.value?.string
      case .activity, .handoff, .activationRequest:
        (targetContentIdentifier?.value ?? webpageURL?.value)?.string
      case .notification, .shortcut: targetContentIdentifier?.value?.string
      case .share: nil
      }
    }

    /// Events from outside are for windows, whatever the case says (R-RT-2).
    var soughtRole: SuiteRole {
      carrier == .activationRequest ? role ?? .windowApplication : .windowApplication
    }
  }

  struct Expectation: Decodable {
    let identifier: Nullable<SuiteText>
    let rule: Rule
    let candidates: [String]
    let chosen: Nullable<String>
    let error: ErrorCode?
  }

  private struct Fields: Decodable {
    let id: String
    let kind: RoutingSuite.Kind
    let basis: RoutingSuite.Basis
    let supportsMultipleScenes: Bool?
    let sessionQuota: SuiteCount?
    let sessions: [Session]
    let event: Event
    let expect: Expectation
    let note: String?
  }

  let id: String
  let note: String?
  let rules: RoutingRules
  let sessions: [Session]
  let event: Event
  let expectation: Expectation
  /// The position of the source session in the case.
  let source: Int?
  let candidates: Set<Int>
  let chosen: Int?

  init(from decoder: any Decoder) throws {
    let fields = try Fields(from: decoder)
    id = fields.id
    note = fields.note
    rules = RoutingRules(
      supportsMultipleScenes: fields.supportsMultipleScenes ?? true,
      sessionQuota: fields.sessionQuota?.value)
    sessions = fields.sessions
    event = fields.event
    expectation = fields.expect
    let node = decoder.json
    var labels = UniqueNames()
    var identifiers = UniqueNames()
    for session in try node.member("sessions").elements() {
      try labels.insert(session.member("label").text(), session.member("label"))
      try identifiers.insert(session.member("identifier").text(), session.member("identifier"))
    }
    let eventNode = try node.member("event")
    if event.carrier == .url, event.identifier == nil {
      throw eventNode.failure(.missingKey, "the key \"url\"", found: "an event without a URL")
    }
    let expected = try node.member("expect")
    if (expectation.error != nil) != (expectation.rule == .error) {
      throw expected.failure(
        .missingKey, "\"rule\": \"error\" and the key \"error\" together", found: "one of them")
    }
    /// The position of the session that a label names.
    func position(_ node: JSONNode) throws -> Int {
      let label = try node.text()
      let index = fields.sessions.firstIndex { $0.label.utf8.elementsEqual(label.utf8) }
      guard let index else { throw node.failure(.unknownValue, "the label of a session") }
      return index
    }
    source = try eventNode.optional("source")?.unlessNull.map(position)
    candidates = Set(try expected.member("candidates").elements().map(position))
    chosen = try expected.member("chosen").unlessNull.map(position)
  }
}
