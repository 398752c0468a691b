// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate
import Synchronization

/// The conditions and ranks of all open sessions, and which session gets the content of an
/// identifier.
///
/// One short lock guards the ``RoutingTable``: any thread decides and changes, one after the other.
/// A decision costs the same for ten sessions as for a million, but for the misses of the
/// processor's cache.
package final class ContentRouter: Sendable {
  /// The longest identifier in UTF-8 bytes.
  package static let identifierByteLimit = 8_192

  let rules: RoutingRules
  private let identifier: @Sendable (SessionHandle) -> SessionIdentifier
  private let table: Apart<Guarded<RoutingTable>>
  private let residual = Atomic<Int>(0)

  /// Creates a router without sessions.
  ///
  /// - Parameters:
  ///   - rules: What a decision may come to.
  ///   - shardBits: How many of a handle's bits are its shard's.
  ///   - observer: Is told of the terms by which sessions of the first role are found, in order and
  ///     with the router's lock held.
  ///   - identifier: Finds a session's identifier, for ties that nothing else breaks. It is called
  ///     with the router's lock held.
  package init(
    rules: RoutingRules = RoutingRules(), shardBits: Int = 0, observer: TermObserver? = nil,
    identifier: @escaping @Sendable (SessionHandle) -> SessionIdentifier
  ) {
    self.rules = rules
    self.identifier = identifier
    table = Apart(
      guarding: RoutingTable(
        rules: rules, shardBits: shardBits, observer: observer, identifier: identifier))
  }

  // MARK: - Decisions

  /// Decides which session gets an event (semantics#routing-decision).
  ///
  /// - Parameters:
  ///   - target: The target content identifier, or nil if the event has none.
  ///   - role: The wanted role; others are no candidates (R-RT-2).
  ///   - source: The session from which the event comes; it is first among equals (R-RT-6 a).
  ///   - scope: Which sessions are candidates; if there are none, the choice has none.
  /// - Returns: The rule, and the session or nil.
  /// - Throws: `identifierTooLong` if it has over 8,192 UTF-8 bytes.
  package func choose(
    _ target: String?, role: UInt8 = 0, source: SessionHandle? = nil, scope: RoutingScope = .all
  ) throws(RoutingRefusal) -> RoutingChoice {
    if let target { try Self.check(target) }
    return table.withLock { $0.choose(target, role: role, source: source, scope: scope) }
  }

  /// Decides which of some sessions gets an event, as if there were no others.
  ///
  /// Its time grows with their number.
  ///
  /// - Parameters:
  ///   - target: The target content identifier, or nil if the event has none.
  ///   - members: The sessions; those that have just ended are left out.
  ///   - role: The wanted role.
  ///   - source: The session from which the event comes.
  /// - Returns: The rule, and the session or nil.
  /// - Throws: `identifierTooLong` if it has over 8,192 UTF-8 bytes.
  func choose(
    _ target: String?, among members: Set<SessionHandle>, role: UInt8, source: SessionHandle?
  ) throws(RoutingRefusal) -> RoutingChoice {
    if let target { try Self.check(target) }
    return table.withLock {
      $0.choose(target, among: members, role: role, source: source)
    }
  }

  /// Decides which session an activation request without a session uses (R-REQ-2).
  ///
  /// The requesting scene is its source (R-RT-7).
  ///
  /// - Throws: `multipleScenesNotSupported` or `sessionQuota` if there would have to be a new
  ///   session and there cannot be one; `identifierTooLong` as for an event.
  package func chooseForActivation(
    _ target: String?, role: UInt8, source: SessionHandle? = nil
  ) throws(RoutingRefusal) -> RoutingChoice {
    if let target { try Self.check(target) }
    return try table.withLock { (table) throws(RoutingRefusal) in
      try table.chooseForActivation(target, role: role, source: source)
    }
  }

  /// Decides as ``choose(_:role:source:)`` does, and names the session.
  func decide(
    _ target: String?, role: UInt8, source: SessionHandle?
  ) throws(RoutingRefusal) -> RoutingDecision {
    try named(target) { $0.choose(target, role: role, source: source) }
  }

  /// Decides as ``chooseForActivation(_:role:source:)`` does, and names the session.
  func decideForActivation(
    _ target: String, role: UInt8
  ) throws(RoutingRefusal) -> RoutingDecision {
    try named(target) { (table) throws(RoutingRefusal) in
      try table.chooseForActivation(target, role: role, source: nil)
    }
  }

  /// Names the session of a choice, with the lock held: its handle still means that session.
  private func named(
    _ target: String?, _ choose: (inout RoutingTable) throws(RoutingRefusal) -> RoutingChoice
  ) throws(RoutingRefusal) -> RoutingDecision {
    if let target { try Self.check(target) }
    return try table.withLock { (table) throws(RoutingRefusal) in
      let choice = try choose(&table)
      return RoutingDecision(rule: choice.rule, session: choice.session.map(identifier))
    }
  }

  /// Checks an identifier's length.
  static func check(_ target: String) throws(RoutingRefusal) {
    let byteCount = target.utf8.count
    if byteCount > identifierByteLimit { throw .identifierTooLong(byteCount: byteCount) }
  }

  // MARK: - Changes

  /// Enters a session, by the default conditions unless there are others.
  package func insert(
    _ handle: SessionHandle, role: UInt8, _ rank: SessionRank,
    _ conditions: SceneActivationConditions? = nil
  ) {
    change { $0.insert(handle, role: role, rank, conditions) }
  }

  /// Notes that a session has another rank now.
  package func setRank(_ handle: SessionHandle, _ rank: SessionRank) {
    table.withLock { $0.setRank(handle, rank) }
  }

  /// Gives a session other conditions.
  package func setConditions(_ handle: SessionHandle, _ conditions: SceneActivationConditions) {
    change { $0.setConditions(handle, conditions) }
  }

  /// Forgets a session.
  ///
  /// - Parameters:
  ///   - handle: The session.
  ///   - departs: Whether it goes on in another process.
  package func remove(_ handle: SessionHandle, departs: Bool = false) {
    change { $0.remove(handle, departs ? .departed : .left) }
  }

  private func change(_ body: (inout RoutingTable) -> Void) {
    table.withLock { table in
      body(&table)
      residual.store(table.residualCount, ordering: .relaxed)
    }
  }

  /// How many different predicates have to be evaluated for every identifier.
  package var residualCount: Int { residual.load(ordering: .relaxed) }

  /// How many sessions are entered.
  var openCount: Int { table.withLock { $0.openCount } }

  /// The role and the rank of a session; nil for one that is not entered.
  func entry(_ handle: SessionHandle) -> (role: UInt8, rank: SessionRank)? {
    table.withLock { table in
      table.ranks[handle].map { ($0.role, $0.rank) }
    }
  }
}
