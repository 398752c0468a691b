// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate
import Synchronization

extension ContentRouter {
  /// Enters a session, by the default conditions unless there are others.
  package func insert(
    _ handle: SessionHandle, role: UInt8, _ standing: SessionStanding,
    _ conditions: SceneActivationConditions? = nil
  ) {
    let word = StandingWord(
      standing, role: role, canShowEverything: conditions.map { $0.can == .true } ?? true)
    changes.withLock { changes in
      openCount.value.wrappingAdd(1, ordering: .relaxed)
      let place = standings.set(handle, word, &changes.pages, &changes.retired)
      if let conditions, conditions != SceneActivationConditions() {
        enter(handle, place, word, conditions, &changes)
      }
      compete(place, word, rose: true, &changes)
      reclaim(&changes)
    }
  }

  /// Notes that a session stands elsewhere in the tie-break now.
  ///
  /// - Parameters:
  ///   - handle: The session.
  ///   - standing: Where it stands.
  ///   - begin: Called before anything changes, unless it stands there already.
  package func setStanding(
    _ handle: SessionHandle, _ standing: SessionStanding, beginning begin: () -> Void = {}
  ) {
    changes.withLock { changes in
      let old = standings[handle]
      guard old.isTaken else { return }
      let word = StandingWord(
        standing, role: old.role, canShowEverything: old.canShowEverything)
      guard word != old else { return }
      begin()
      let place = standings.set(handle, word, &changes.pages, &changes.retired)
      compete(place, word, rose: word.key > old.key, &changes)
      let role = roles[word.role]
      let can = changes.can[place]
      let prefers = changes.prefers[place]
      if can != .none {
        unsafe role.index(.can).node.pointee.update(handle.rawValue, can, self)
      }
      if prefers != .none {
        unsafe role.index(.prefers).node.pointee.update(handle.rawValue, prefers, self)
      }
    }
  }

  /// Gives a session other conditions.
  ///
  /// Whoever decides meanwhile finds the session by the old ones or by the new ones.
  package func setConditions(_ handle: SessionHandle, _ conditions: SceneActivationConditions) {
    changes.withLock { changes in
      let old = standings[handle]
      guard old.isTaken else { return }
      let place = standings.place(handle, changes.pages)
      let can = changes.can[place]
      let prefers = changes.prefers[place]
      let word = StandingWord(
        old.standing, role: old.role, canShowEverything: conditions.can == .true)
      enter(handle, place, word, conditions, &changes)
      if word != old {
        // It changes sides, among those that can show everything and the others.
        _ = standings.set(handle, word, &changes.pages, &changes.retired)
        compete(place, word, rose: true, &changes)
      }
      conditionChanges.wrappingAdd(1, ordering: .releasing)
      if word != old { compete(place, old, rose: false, &changes) }
      leave(
        old.role, changes.can[place] == can ? .none : can,
        changes.prefers[place] == prefers ? .none : prefers, &changes)
      reclaim(&changes)
    }
  }

  /// Forgets a session.
  package func remove(_ handle: SessionHandle) {
    changes.withLock { changes in
      let old = standings[handle]
      guard old.isTaken else { return }
      openCount.value.wrappingSubtract(1, ordering: .relaxed)
      let place = standings.place(handle, changes.pages)
      let can = changes.can[place]
      let prefers = changes.prefers[place]
      changes.can[place] = .none
      changes.prefers[place] = .none
      leave(old.role, can, prefers, &changes)
      // It keeps its standing until nobody finds it: others are compared with it.
      compete(place, old, rose: false, leaver: place, &changes)
      _ = standings.set(handle, .none, &changes.pages, &changes.retired)
      reclaim(&changes)
    }
  }

  /// How many different predicates have to be evaluated for every identifier.
  package var residualCount: Int { residual.load(ordering: .relaxed) }

  /// Keeps a handle from being used again while somebody may be routing to it.
  ///
  /// - Parameter handle: The handle of a session that was removed.
  /// - Returns: Handles that were retired before and are free now.
  func retire(_ handle: SessionHandle) -> [SessionHandle] {
    changes.withLock { changes in
      changes.retiredHandles.append(handle)
      guard changes.retiredHandles.count >= Self.retiredHandleCount else { return [] }
      var free: [SessionHandle] = []
      changes.retiredHandles.advance(periods) { free.append($0) }
      changes.retiredHandles.advance(periods) { free.append($0) }
      return free
    }
  }

  private static let retiredHandleCount = 32

  // MARK: - Steps

  /// The word of a session.
  func word(_ handle: UInt32) -> StandingWord {
    standings[SessionHandle(rawValue: handle)]
  }

  /// Enters a session's predicates; `can` only where it does not stand for everything.
  private func enter(
    _ handle: SessionHandle, _ place: Int, _ word: StandingWord,
    _ conditions: SceneActivationConditions, _ changes: inout Changes
  ) {
    let role = roles.demand(word.role)
    changes.can[place] =
      word.canShowEverything
      ? .none
      : insert(handle, conditions.can, role.demand(.can), changes.can[place], &changes)
    changes.prefers[place] =
      conditions.prefers == .false
      ? .none
      : insert(handle, conditions.prefers, role.demand(.prefers), changes.prefers[place], &changes)
  }

  private func insert(
    _ handle: SessionHandle, _ predicate: ContentPredicate, _ index: Address<PredicateIndex>,
    _ current: Membership, _ changes: inout Changes
  ) -> Membership {
    let before = unsafe index.node.pointee.residualCount
    defer { note(unsafe index.node.pointee.residualCount - before) }
    return unsafe index.node.pointee.insert(
      handle.rawValue, predicate, current, self, &changes.retired)
  }

  private func leave(
    _ role: UInt8, _ can: Membership, _ prefers: Membership, _ changes: inout Changes
  ) {
    if can != .none { remove(can, roles[role].index(.can), &changes) }
    if prefers != .none { remove(prefers, roles[role].index(.prefers), &changes) }
  }

  private func remove(
    _ membership: Membership, _ index: Address<PredicateIndex>, _ changes: inout Changes
  ) {
    let before = unsafe index.node.pointee.residualCount
    unsafe index.node.pointee.remove(membership, self, &changes.retired)
    note(unsafe index.node.pointee.residualCount - before)
  }

  private func note(_ moreResidual: Int) {
    if moreResidual != 0 { residual.wrappingAdd(moreResidual, ordering: .relaxed) }
  }

  /// Takes note of a session's standing among those of its role that can show everything, or among
  /// the others.
  private func compete(
    _ place: Int, _ word: StandingWord, rose: Bool, leaver: Int? = nil, _ changes: inout Changes
  ) {
    let role = roles.demand(word.role)
    unsafe withUnsafePointer(to: changes.pages) { pages in
      let side = unsafe Side(
        router: .passUnretained(self), pages: pages, role: word.role,
        canShowEverything: word.canShowEverything, leaver: leaver)
      let lineup = unsafe role.node.pointee.lineup(word.canShowEverything)
      let isKnown = unsafe lineup.node.pointee.change(place, rose: rose, side)
      unsafe publish(
        isKnown ? first(of: lineup, pages.pointee) : RoleIndexes.Role.unknown,
        role.node.pointee, word.canShowEverything)
    }
  }

  /// Finds out who is best on both sides of a role, and keeps it known for a while.
  func findBest(_ role: UInt8, _ changes: inout Changes) {
    let sessions = roles[role]
    if sessions.isNone { return }
    unsafe withUnsafePointer(to: changes.pages) { pages in
      for canShowEverything in [true, false] {
        let side = unsafe Side(
          router: .passUnretained(self), pages: pages, role: role,
          canShowEverything: canShowEverything, leaver: nil)
        let lineup = unsafe sessions.node.pointee.lineup(canShowEverything)
        unsafe lineup.node.pointee.ask(side)
        unsafe publish(
          first(of: lineup, pages.pointee), sessions.node.pointee, canShowEverything)
      }
    }
  }

  private func first(
    of lineup: Address<Lineup>, _ pages: borrowing StandingTable.Pages
  ) -> UInt32 {
    let place = unsafe lineup.node.pointee.first
    return place.map { standings.handle(at: $0, pages).rawValue } ?? Posting.none
  }

  private func publish(
    _ best: UInt32, _ role: borrowing RoleIndexes.Role, _ canShowEverything: Bool
  ) {
    role.withBest(canShowEverything) { word in
      // Not stored again: the line stays with those who read it.
      if word.load(ordering: .relaxed) != best { word.store(best, ordering: .releasing) }
    }
  }

  /// Frees what nobody reads any more, not at every change.
  private func reclaim(_ changes: inout Changes) {
    guard changes.retired.count >= 64 else { return }
    changes.retired.advance(periods) { Address<UInt8>(bits: $0).free() }
  }
}

/// The sessions of a role that can show everything, or those that cannot, in the order of R-RT-6.
///
/// It lives as long as one change, for which the router and its pages stay where they are. It
/// counts no references to them: every processor that changes a standing would write the counts.
@safe
private struct Side: TournamentOrder {
  let router: Unmanaged<ContentRouter>
  let pages: UnsafePointer<StandingTable.Pages>
  let role: UInt8
  let canShowEverything: Bool
  /// The place of a session that is about to be forgotten.
  let leaver: Int?

  @inline(__always)
  func isTaken(_ place: Int) -> Bool {
    guard place != leaver, place < (unsafe pages.pointee.placeCount) else { return false }
    let word = unsafe router._withUnsafeGuaranteedRef {
      unsafe $0.standings[$0.standings.handle(at: place, pages.pointee)]
    }
    return word.isTaken && word.role == role && word.canShowEverything == canShowEverything
  }

  @inline(__always)
  func isBefore(_ place: Int, _ other: Int) -> Bool {
    unsafe router._withUnsafeGuaranteedRef { router in
      unsafe router.isBefore(
        router.standings.handle(at: place, pages.pointee).rawValue,
        router.standings.handle(at: other, pages.pointee).rawValue)
    }
  }
}
