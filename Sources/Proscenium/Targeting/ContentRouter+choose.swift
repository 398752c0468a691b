// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

extension ContentRouter {
  /// Decides which session gets an event (section 3.3).
  ///
  /// - Parameters:
  ///   - target: The target content identifier, or nil if the event has none.
  ///   - role: The wanted role; others are no candidates (R-RT-2).
  ///   - source: The session from which the event comes; it is first among equals (R-RT-6 a).
  /// - Returns: The rule, and the session or nil.
  /// - Throws: `limitExceeded` if the identifier has over 8,192 UTF-8 bytes.
  package func choose(
    _ target: String?, role: UInt8 = 0, source: SessionHandle? = nil
  ) throws(SceneError) -> Choice {
    let visit = periods.enter()
    defer { periods.leave(visit) }
    return try chooseVisiting(target, role: role, source: source)
  }

  /// The same within a visit of the caller's.
  func chooseVisiting(
    _ target: String?, role: UInt8, source: SessionHandle?
  ) throws(SceneError) -> Choice {
    guard let target else {
      let best = settled(role) { bestOfPool(role) }
      if best == Posting.none { return Choice(.new, nil) }
      let rule = rules.supportsMultipleScenes ? RoutingRule.recent : .single
      return unsafe choice(rule, best, source: source, role, nil)
    }
    try Self.check(target)
    return unsafe withBytes(of: target) { text in
      let hash = unsafe ByteHash.shared(text)
      let choice = unsafe choose(text, hash, role)
      if source == nil || choice.session == nil { return choice }
      return unsafe self.choice(
        choice.rule, choice.session?.rawValue ?? Posting.none, source: source, role, text)
    }
  }

  /// Decides which session an activation request without a session uses (R-REQ-2).
  ///
  /// The requesting scene is its source (R-RT-7).
  ///
  /// - Throws: `multipleScenesNotSupported` or `requestDenied` if there would have to be a new
  ///   session and there cannot be one; `limitExceeded` as for an event.
  package func chooseForActivation(
    _ target: String?, role: UInt8, source: SessionHandle? = nil
  ) throws(SceneError) -> Choice {
    let visit = periods.enter()
    defer { periods.leave(visit) }
    if !rules.supportsMultipleScenes, openCount.value.load(ordering: .relaxed) > 0 {
      throw SceneError(
        .multipleScenesNotSupported,
        "the manifest does not support multiple scenes and a session is open")
    }
    if let target {
      try Self.check(target)
      let index = roles[role]
      let choice: Choice? = unsafe withBytes(of: target) { text in
        if index.isNone { return nil }
        let best = settled(role) {
          var search = unsafe Search(self, text)
          unsafe search.look(in: index.index(.prefers), ByteHash.shared(text))
          return search.best
        }
        if best == Posting.none { return nil }
        return unsafe self.choice(.prefers, best, source: source, role, text)
      }
      if let choice { return choice }
    }
    if let quota = rules.sessionQuota, openCount.value.load(ordering: .relaxed) >= quota {
      throw SceneError(.requestDenied, "the host allows \(quota) open sessions")
    }
    return Choice(.new, nil)
  }

  /// Rules 1 and 3 to 6 for the bytes of an identifier, whoever the source is.
  @inline(__always)
  func choose(
    _ text: UnsafeRawBufferPointer, _ hash: UInt64, _ role: UInt8
  ) -> Choice {
    settled(role) { unsafe decide(text, hash, role) }
  }

  /// Makes a decision by which no session is missed because it changes its conditions meanwhile.
  ///
  /// A session is entered by its new conditions before it leaves the old ones. Whoever has looked
  /// for the new ones too early and for the old ones too late finds that the count of changes has
  /// moved on, and decides again; at last with the lock, so that it comes to an end.
  @inline(__always)
  private func settled<Result: Sendable>(_ role: UInt8, _ decide: () -> Result) -> Result {
    var before = conditionChanges.load(ordering: .acquiring)
    for _ in 0..<Self.attemptCount {
      let result = decide()
      // What the decision has read, it has read before the count.
      atomicMemoryFence(ordering: .acquiring)
      let now = conditionChanges.load(ordering: .relaxed)
      if now == before { return result }
      before = now
    }
    return changes.withLock { changes in
      // Nobody can ask with the lock held.
      findBest(role, &changes)
      return decide()
    }
  }

  /// Changes come every few microseconds at most, a decision takes less than one as a rule.
  private static let attemptCount = 16

  @inline(__always)
  private func decide(
    _ text: UnsafeRawBufferPointer, _ hash: UInt64, _ role: UInt8
  ) -> Choice {
    let sessions = roles[role]
    if sessions.isNone { return Choice(.new, nil) }
    if !rules.supportsMultipleScenes {
      let best = bestOfPool(role)
      if best == Posting.none { return Choice(.new, nil) }
      return Choice(.single, SessionHandle(rawValue: best))
    }
    var search = unsafe Search(self, text)
    search.look(in: sessions.index(.prefers), hash)
    if search.best != Posting.none {
      return Choice(.prefers, SessionHandle(rawValue: search.best))
    }
    search.considerDefaults(role)
    search.look(in: sessions.index(.can), hash)
    if search.best != Posting.none { return Choice(.can, SessionHandle(rawValue: search.best)) }
    if let quota = rules.sessionQuota, openCount.value.load(ordering: .relaxed) >= quota {
      let best = bestOfPool(role)
      if best != Posting.none { return Choice(.forced, SessionHandle(rawValue: best)) }
    }
    return Choice(.new, nil)
  }

  /// The best of a role's sessions that can show everything, or of the others.
  @inline(__always)
  func best(_ role: UInt8, canShowEverything: Bool) -> UInt32 {
    let sessions = roles[role]
    if sessions.isNone { return Posting.none }
    let best = unsafe sessions.node.pointee.best(canShowEverything)
    return best == RoleIndexes.Role.unknown ? askForBest(role, canShowEverything) : best
  }

  @inline(never)
  private func askForBest(_ role: UInt8, _ canShowEverything: Bool) -> UInt32 {
    changes.withLock { changes in
      findBest(role, &changes)
      return unsafe roles[role].node.pointee.best(canShowEverything)
    }
  }

  /// The best session of a role, whatever its conditions say.
  private func bestOfPool(_ role: UInt8) -> UInt32 {
    let best = self.best(role, canShowEverything: true)
    let other = self.best(role, canShowEverything: false)
    if best == Posting.none || other == Posting.none { return best == Posting.none ? other : best }
    return isBefore(other, best) ? other : best
  }

  /// The choice by a rule, where the source comes first if it is a candidate too (R-RT-6 a).
  private func choice(
    _ rule: RoutingRule, _ best: UInt32, source: SessionHandle?, _ role: UInt8,
    _ text: UnsafeRawBufferPointer?
  ) -> Choice {
    let best = SessionHandle(rawValue: best)
    guard let source, source != best else { return Choice(rule, best) }
    let isCandidate = changes.withLock { changes in
      let word = standings[source]
      guard word.isTaken, word.role == role else { return false }
      guard let text = unsafe text else { return true }
      let place = standings.place(source, changes.pages)
      return switch rule {
      case .prefers: unsafe holds(changes.prefers[place], text)
      case .can: unsafe word.canShowEverything || holds(changes.can[place], text)
      default: true
      }
    }
    return Choice(rule, isCandidate ? source : best)
  }

  // MARK: - Identifiers

  /// Checks an identifier's length.
  static func check(_ target: String) throws(SceneError) {
    guard target.utf8.count > identifierByteLimit else { return }
    throw SceneError(
      .limitExceeded,
      "a target content identifier has at most \(identifierByteLimit) UTF-8 bytes, this one has "
        + "\(target.utf8.count)")
  }

  @inline(__always)
  func withBytes<Result>(of text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let result = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe body(UnsafeRawBufferPointer($0))
    }
    if let result { return result }
    // Only a bridged string is not contiguous.
    return unsafe Array(text.utf8).withUnsafeBytes(body)
  }
}
