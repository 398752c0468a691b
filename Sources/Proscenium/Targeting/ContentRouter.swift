// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// The conditions and standings of all open sessions, and who gets the content of an identifier.
package final class ContentRouter: Sendable {
  /// What a decision came to.
  package struct Choice: Sendable, Hashable {
    package let rule: RoutingRule
    /// The session, or nil for a new one.
    package let session: SessionHandle?

    package init(_ rule: RoutingRule, _ session: SessionHandle?) {
      self.rule = rule
      self.session = session
    }
  }

  private struct Session: Sendable {
    var role: UInt8
    var standing: SessionStanding
    var conditions: SceneActivationConditions
  }

  /// The longest identifier in UTF-8 bytes.
  package static let identifierByteLimit = 8_192

  private let rules: RoutingRules
  private let identifier: @Sendable (SessionHandle) -> SessionIdentifier
  private let sessions = Guarded<[SessionHandle: Session]>([:])

  /// Creates a router without sessions.
  ///
  /// - Parameters:
  ///   - rules: What a decision may come to.
  ///   - identifier: Finds a session's identifier, for ties that nothing else breaks.
  package init(
    rules: RoutingRules = RoutingRules(),
    identifier: @escaping @Sendable (SessionHandle) -> SessionIdentifier
  ) {
    self.rules = rules
    self.identifier = identifier
  }

  // MARK: - Changes

  /// Enters a session.
  package func insert(
    _ handle: SessionHandle, role: UInt8, _ standing: SessionStanding,
    _ conditions: SceneActivationConditions = SceneActivationConditions()
  ) {
    sessions.withLock {
      $0[handle] = Session(role: role, standing: standing, conditions: conditions)
    }
  }

  /// Notes that a session stands elsewhere in the tie-break now.
  package func setStanding(_ handle: SessionHandle, _ standing: SessionStanding) {
    sessions.withLock { $0[handle]?.standing = standing }
  }

  /// Gives a session other conditions.
  package func setConditions(_ handle: SessionHandle, _ conditions: SceneActivationConditions) {
    sessions.withLock { $0[handle]?.conditions = conditions }
  }

  /// Forgets a session.
  package func remove(_ handle: SessionHandle) {
    sessions.withLock { $0[handle] = nil }
  }

  // MARK: - Decisions

  /// Decides which session gets an event (section 3.3).
  ///
  /// - Throws: `limitExceeded` if the identifier has over 8,192 UTF-8 bytes.
  package func choose(
    _ target: String?, role: UInt8 = 0, source: SessionHandle? = nil
  ) throws(SceneError) -> Choice {
    sessions.withLock { sessions in
      let pool = sessions.filter { $0.value.role == role }
      if !pool.isEmpty {
        guard rules.supportsMultipleScenes else {
          return Choice(.single, best(pool, source) { _ in true })
        }
        guard let target else { return Choice(.recent, best(pool, source) { _ in true }) }
        if let best = best(pool, source, where: { $0.prefers.evaluate(target) }) {
          return Choice(.prefers, best)
        }
        if let best = best(pool, source, where: { $0.can.evaluate(target) }) {
          return Choice(.can, best)
        }
        if let quota = rules.sessionQuota, sessions.count >= quota {
          return Choice(.forced, best(pool, source) { _ in true })
        }
      }
      return Choice(.new, nil)
    }
  }

  /// Decides for several identifiers at once, in their order.
  ///
  /// - Throws: `limitExceeded` if an identifier has over 8,192 UTF-8 bytes; nothing is decided.
  package func choose(
    all targets: some Collection<String>, role: UInt8 = 0
  ) throws(SceneError) -> [Choice] {
    var choices: [Choice] = []
    for target in targets { choices.append(try choose(target, role: role)) }
    return choices
  }

  /// Decides which session an activation request without a session uses (R-REQ-2).
  ///
  /// - Throws: `multipleScenesNotSupported` or `requestDenied` if there would have to be a new
  ///   session and there cannot be one; `limitExceeded` as for an event.
  package func chooseForActivation(
    _ target: String?, role: UInt8
  ) throws(SceneError) -> Choice {
    try sessions.withLock { (sessions) throws(SceneError) -> Choice in
      if !rules.supportsMultipleScenes, !sessions.isEmpty {
        throw SceneError(.multipleScenesNotSupported, "a session is open")
      }
      let pool = sessions.filter { $0.value.role == role }
      if let target, let best = best(pool, nil, where: { $0.prefers.evaluate(target) }) {
        return Choice(.prefers, best)
      }
      if let quota = rules.sessionQuota, sessions.count >= quota {
        throw SceneError(.requestDenied, "the host allows \(quota) open sessions")
      }
      return Choice(.new, nil)
    }
  }

  private func best(
    _ sessions: [SessionHandle: Session], _ source: SessionHandle?,
    where isCandidate: (SceneActivationConditions) -> Bool
  ) -> SessionHandle? {
    sessions.filter { isCandidate($0.value.conditions) }.min { left, right in
      if left.key == source || right.key == source { return left.key == source }
      if left.value.standing != right.value.standing {
        return left.value.standing < right.value.standing
      }
      return identifier(left.key) < identifier(right.key)
    }?.key
  }
}
