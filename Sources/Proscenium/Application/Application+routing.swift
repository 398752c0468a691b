// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// Targeted content: who would get it, and why.
extension Application {
  /// Tells which session an event with a target content identifier would go to
  /// (semantics#routing-decision).
  ///
  /// It can be called from any thread and reaches no scene. Its time does not depend on how many
  /// sessions there are. The answer is advice about this moment: an event is decided about again
  /// when it is admitted, so that it never goes to a session that has changed since. See
  /// <doc:TargetingContent>.
  ///
  /// - Parameters:
  ///   - identifier: The target content identifier, up to 8,192 UTF-8 bytes, or nil for an event
  ///     without one.
  ///   - role: The role whose sessions are candidates (R-RT-2).
  ///   - source: The session that the event comes from; it is first among equals (R-RT-6).
  /// - Returns: The session, or nil for a new one, and the rule.
  /// - Throws: `limitExceeded` for a longer identifier; `notRunning` after the end.
  public nonisolated func route(
    _ identifier: String?, role: SceneSession.Role = .windowApplication,
    source: SessionIdentifier? = nil
  ) throws(SceneError) -> RoutingDecision {
    try core.checkReadable()
    let role = try core.catalog.index(of: role)
    let source = source.flatMap { core.directory.find($0) }
    return try SceneError.routed { () throws(RoutingRefusal) in
      try core.router.decide(identifier, role: role, source: source)
    }
  }

  /// Tells for several identifiers at once where events with them would go.
  ///
  /// - Parameters:
  ///   - identifiers: Target content identifiers, up to 8,192 UTF-8 bytes each.
  ///   - role: The role whose sessions are candidates.
  /// - Returns: The decisions, in the order of the identifiers.
  /// - Throws: As ``route(_:role:source:)``; then there is no decision for any of them.
  public nonisolated func route(
    _ identifiers: some Collection<String>, role: SceneSession.Role = .windowApplication
  ) throws(SceneError) -> [RoutingDecision] {
    try core.checkReadable()
    let role = try core.catalog.index(of: role)
    return try SceneError.routed { () throws(RoutingRefusal) in
      for identifier in identifiers { try ContentRouter.check(identifier) }
      return try identifiers.map { (identifier) throws(RoutingRefusal) in
        try core.router.decide(identifier, role: role, source: nil)
      }
    }
  }

  /// Explains where an event with a target content identifier would go, and why.
  ///
  /// For people and for tests: every open session is looked at, a few hundred at a time, so that it
  /// takes longer the more there are; nothing is held up by it. While requests run it is no
  /// snapshot of one instant.
  ///
  /// - Parameters:
  ///   - identifier: The target content identifier, up to 8,192 UTF-8 bytes, or nil.
  ///   - role: The role whose sessions are candidates.
  ///   - source: The session that the event comes from.
  ///   - limit: How many candidates are shown, at least 1; the others are counted.
  /// - Returns: The candidates in their order, what matched of their predicates, and which step of
  ///   the tie-break decided.
  /// - Throws: `limitExceeded` for a longer identifier; `notRunning` after the end.
  public nonisolated func explain(
    _ identifier: String?, role: SceneSession.Role = .windowApplication,
    source: SessionIdentifier? = nil, limit: Int = 10
  ) throws(SceneError) -> RoutingExplanation<SessionIdentifier> {
    try core.checkReadable()
    try SceneError.routed { () throws(RoutingRefusal) in
      if let identifier { try ContentRouter.check(identifier) }
    }
    return RoutingExplanation(
      of: identifier, among: RoutedSessions(core), rules: core.router.rules,
      role: try core.catalog.index(of: role), source: source, limit: limit)
  }
}

extension ApplicationCore {
  /// A router without the sessions of the store would answer as if there were none.
  fileprivate func checkReadable() throws(SceneError) {
    switch stage.load(ordering: .acquiring) {
    case .restored, .launched: return
    case .new, .ended: throw Self.notRunning
    }
  }
}

/// All open sessions as routing sees them, read a page of entries at a time.
private struct RoutedSessions: Sequence, IteratorProtocol {
  private static let pageSize = 256

  private let core: ApplicationCore
  private var shard = 0
  private var nextSlot = 0
  private var page: ArraySlice<RoutingExplanation<SessionIdentifier>.Session> = []

  init(_ core: ApplicationCore) {
    self.core = core
  }

  mutating func next() -> RoutingExplanation<SessionIdentifier>.Session? {
    while page.isEmpty {
      guard shard < core.directory.mailboxes.count else { return nil }
      readPage()
    }
    return page.popFirst()
  }

  private mutating func readPage() {
    let first = nextSlot
    let entries = core.directory.mailboxes[shard].state.withLock { state in
      (first..<Swift.max(first, Swift.min(first + Self.pageSize, state.entries.count)))
        .map { state.entries[$0] }
    }
    if entries.isEmpty {
      shard += 1
      nextSlot = 0
      return
    }
    nextSlot += entries.count
    var sessions: [RoutingExplanation<SessionIdentifier>.Session] = []
    for (offset, entry) in entries.enumerated() where entry.flags[.isOpen] {
      let handle = SessionHandle(
        slot: first + offset, shard: shard, shardBits: core.directory.shardBits)
      guard let known = core.router.entry(handle) else { continue }
      sessions.append(
        RoutingExplanation.Session(
          entry.identifier, role: known.role, known.rank, entry.details.activationConditions))
    }
    page = sessions[...]
  }
}
