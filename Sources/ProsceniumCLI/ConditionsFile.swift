// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium
import ProsceniumPredicate
import ProsceniumPrimitives
import ProsceniumTestKit

/// The sessions of a file of conditions, and the router that knows them.
struct ConditionsFile {
  typealias Explanation = RoutingExplanation<SessionName>

  private let sessions: [Explanation.Session]
  private let router: ContentRouter

  private enum State: String, CaseIterable {
    case active, inactive, background, archived

    var rank: SessionRank.State {
      switch self {
      case .active: .active
      case .inactive: .inactive
      case .background: .background
      case .archived: .archived
      }
    }
  }

  /// Reads a file.
  ///
  /// - Throws: `FileError` if it does not fit its format, `PredicateRefusal` if a predicate is
  ///   refused.
  init(_ bytes: [UInt8], name: String) throws {
    var names = UniqueNames()
    var sessions: [Explanation.Session] = []
    for node in try JSONParser.parse(bytes, file: name).elements() {
      let session = try Self.session(node)
      try names.insert(session.name.description, node.member("id"))
      sessions.append(session)
    }
    // In the order of their names, so that a handle's number decides ties as the name does.
    self.sessions = sessions.sorted { $0.name < $1.name }
    router = ContentRouter { SessionIdentifier(high: 0, low: UInt64($0.rawValue)) }
    for (index, session) in self.sessions.enumerated() {
      router.insert(
        SessionHandle(rawValue: UInt32(truncatingIfNeeded: index)), role: session.role,
        session.rank, session.conditions)
    }
  }

  private static func session(_ node: JSONNode) throws -> Explanation.Session {
    try node.checkKeys("id", "can", "prefers", "role", "lastActivated", "state")
    let state = try node.optional("state")?.word(State.self) ?? .archived
    let lastActivated = try node.optional("lastActivated")?.integer(in: 0...1 << 52) ?? 0
    let role = try node.optional("role")?.text() ?? SceneSession.Role.windowApplication.rawValue
    var conditions = SceneActivationConditions()
    if let can = try predicate(node.optional("can")) { conditions.can = can }
    if let prefers = try predicate(node.optional("prefers")) { conditions.prefers = prefers }
    return Explanation.Session(
      SessionName(try node.member("id").text()),
      // Events are for windows; which other role a session has is all the same to them.
      role: role == SceneSession.Role.windowApplication.rawValue ? 0 : 1,
      SessionRank(state.rank, lastActivated: UInt64(lastActivated)), conditions)
  }

  private static func predicate(_ node: JSONNode?) throws -> ContentPredicate? {
    try node.map { node in
      let file = node.file == "-" ? "standard input" : node.file
      return try PredicateRefusal.predicate(node.text(), place: "\(file): \(node.path)")
    }
  }

  /// The rule for an identifier and the session that gets it, or nil for a new one.
  ///
  /// - Throws: `SceneError` if the identifier is longer than an identifier may be.
  func route(_ identifier: String) throws(SceneError) -> (rule: RoutingRule, session: SessionName?)
  {
    do throws(RoutingRefusal) {
      let choice = try router.choose(identifier)
      return (choice.rule, choice.session.map { sessions[Int($0.rawValue)].name })
    } catch {
      throw SceneError(error)
    }
  }

  /// Why it is so.
  func explain(_ identifier: String) -> Explanation {
    Explanation(of: identifier, among: sessions)
  }
}

/// What a file calls a session: any text, compared byte by byte.
struct SessionName: Sendable, Hashable, Comparable, CustomStringConvertible {
  let description: String

  init(_ text: String) {
    description = text
  }

  static func == (left: Self, right: Self) -> Bool {
    left.description.utf8.elementsEqual(right.description.utf8)
  }

  static func < (left: Self, right: Self) -> Bool {
    left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
  }

  func hash(into hasher: inout Hasher) {
    // Equal bytes are an equal `String`, so its own hash fits the finer equality.
    hasher.combine(description)
  }
}
