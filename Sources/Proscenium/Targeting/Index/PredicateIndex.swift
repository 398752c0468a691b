// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Synchronization

/// The predicates of one kind, *can* or *prefers*, of all sessions of one role.
struct PredicateIndex: ~Copyable {
  /// The sessions whose predicate always holds.
  let everything = Posting()
  /// The ``VerifiedPredicate``s that are evaluated for every identifier.
  let residual = AddressList()
  /// The ``SpaceIndex`` of each set of options, made when it is needed.
  private let plain = Atomic<UInt>(0)
  private let caseless = Atomic<UInt>(0)
  private let markless = Atomic<UInt>(0)
  private let caselessMarkless = Atomic<UInt>(0)

  private let shared = SharedPredicates()

  static func make() -> Address<PredicateIndex> {
    let node = UnsafeMutablePointer<PredicateIndex>.allocate(capacity: 1)
    unsafe node.initialize(to: PredicateIndex())
    return unsafe Address(node)
  }

  deinit {
    shared.forEach { shared in
      unsafe shared.node.node.deinitialize(count: 1)
      shared.node.free()
    }
    for options in UInt8(0)..<4 {
      let space = space(options)
      if space.isNone { continue }
      unsafe space.node.deinitialize(count: 1)
      space.free()
    }
  }

  /// The space for a set of options.
  @inline(__always)
  func space(_ options: UInt8) -> Address<SpaceIndex> {
    switch options {
    case 0: Address(plain)
    case 1: Address(caseless)
    case 2: Address(markless)
    default: Address(caselessMarkless)
    }
  }

  /// Whether there is anything beside what stands in the plain space.
  @inline(__always)
  var hasMore: Bool {
    !residual.isEmpty || caseless.load(ordering: .acquiring) != 0
      || markless.load(ordering: .acquiring) != 0
      || caselessMarkless.load(ordering: .acquiring) != 0
  }

  private func makeSpace(_ options: UInt8) -> Address<SpaceIndex> {
    let known = space(options)
    if !known.isNone { return known }
    let new = SpaceIndex.make(options: options)
    switch options {
    case 0: plain.store(new.bits, ordering: .releasing)
    case 1: caseless.store(new.bits, ordering: .releasing)
    case 2: markless.store(new.bits, ordering: .releasing)
    default: caselessMarkless.store(new.bits, ordering: .releasing)
    }
    return new
  }

  // MARK: - Changing

  /// Enters a session's predicate, and returns where; that is `current`, where the session stands
  /// already, if the predicate is the same.
  func insert(
    _ handle: UInt32, _ predicate: ContentPredicate, _ current: Membership,
    _ router: ContentRouter, _ retired: inout RetiredList<UInt>
  ) -> Membership {
    let plan = RoutingPlan(predicate)
    let entry = plan.entry { term in
      find(term).map { unsafe $0.node.pointee.hinted.count } ?? 0
    }
    switch entry {
    case .nothing: return .none
    case .everything:
      if current.home == .everything { return current }
      return .everything(everything.insert(handle, router))
    case .terms(let references) where references.count == 1 && references[0].decides:
      let term = demand(references[0].term, &retired)
      if current.home == .term(term) { return current }
      return .term(term, unsafe term.node.pointee.posting.insert(handle, router))
    case .terms, .residual:
      if let known = shared[predicate] {
        if Membership.predicate(known, current.place) == current { return current }
        let before = known.node.best
        let place = unsafe known.node.node.pointee.posting.insert(handle, router)
        if known.node.best != before { spread(known, router) }
        return .predicate(known, place)
      }
      guard let code = predicate.code else { return .none }
      let new = SharedPredicate(predicate, VerifiedPredicate.make(code))
      shared[predicate] = new
      let place = unsafe new.node.node.pointee.posting.insert(handle, router)
      enter(new, entry, handle, router, &retired)
      return .predicate(new, place)
    }
  }

  /// Takes note that a session stands elsewhere in the tie-break.
  func update(
    _ handle: UInt32, _ membership: Membership, _ router: ContentRouter
  ) {
    switch membership.home {
    case .nowhere: break
    case .everything: everything.update(membership.place, handle, router)
    case .term(let term):
      unsafe term.node.pointee.posting.update(membership.place, handle, router)
    case .predicate(let reference):
      let shared = Membership.predicate(at: reference)
      let before = shared.node.best
      unsafe shared.node.node.pointee.posting.update(membership.place, handle, router)
      // What the terms know is the best one and where it stands.
      if shared.node.best != before || before == handle { spread(shared, router) }
    }
  }

  /// Takes a session's predicate out.
  func remove(
    _ membership: Membership, _ router: ContentRouter,
    _ retired: inout RetiredList<UInt>
  ) {
    switch membership.home {
    case .nowhere: break
    case .everything: everything.remove(membership.place)
    case .term(let term):
      unsafe term.node.pointee.posting.remove(membership.place)
      release(term, &retired)
    case .predicate(let reference):
      let shared = Membership.predicate(at: reference)
      let before = shared.node.best
      unsafe shared.node.node.pointee.posting.remove(membership.place)
      if shared.node.best == Posting.none {
        leave(shared, &retired)
      } else if shared.node.best != before {
        spread(shared, router)
      }
    }
  }

  /// How many different predicates are evaluated for every identifier.
  var residualCount: Int { residual.count }

  /// Enters a predicate under its terms.
  private func enter(
    _ shared: SharedPredicate, _ entry: RoutingPlan.Entry, _ handle: UInt32,
    _ router: ContentRouter, _ retired: inout RetiredList<UInt>
  ) {
    guard case .terms(let references) = entry else {
      shared.isResidual = true
      residual.append(shared.node.bits, &retired)
      return
    }
    for reference in references {
      let term = demand(reference.term, &retired)
      if reference.decides {
        let place = unsafe term.node.pointee.posting.insert(handle, router)
        shared.entries.append(SharedPredicate.Entry(term: term, place: place))
      } else {
        unsafe term.node.pointee.hinted.append(shared.node.bits, &retired)
        shared.entries.append(SharedPredicate.Entry(term: term, place: nil))
      }
    }
  }

  /// Tells the terms that a predicate decides which session is its best one now.
  private func spread(_ shared: SharedPredicate, _ router: ContentRouter) {
    let best = shared.node.best
    for entry in shared.entries {
      guard let place = entry.place else { continue }
      unsafe entry.term.node.pointee.posting.update(place, best, router)
    }
  }

  /// Takes a predicate that no session has any more out of everything.
  private func leave(_ shared: SharedPredicate, _ retired: inout RetiredList<UInt>) {
    for entry in shared.entries {
      if let place = entry.place {
        unsafe entry.term.node.pointee.posting.remove(place)
      } else {
        unsafe entry.term.node.pointee.hinted.remove(shared.node.bits, &retired)
      }
      release(entry.term, &retired)
    }
    if shared.isResidual { residual.remove(shared.node.bits, &retired) }
    retired.append(shared.node.bits)
    self.shared[shared.predicate] = nil
  }

  // MARK: - Terms

  private func find(_ term: RoutingTerm) -> Address<TermNode>? {
    let space = space(term.options.rawValue)
    guard !space.isNone else { return nil }
    let node = unsafe term.text.withUnsafeBytes {
      unsafe space.node.pointee.find(term.position, $0)
    }
    return node.isNone ? nil : node
  }

  private func demand(
    _ term: RoutingTerm, _ retired: inout RetiredList<UInt>
  ) -> Address<TermNode> {
    let space = makeSpace(term.options.rawValue)
    return unsafe term.text.withUnsafeBytes { text in
      let known = unsafe space.node.pointee.find(term.position, text)
      return known.isNone
        ? unsafe space.node.pointee.insert(term.position, text, &retired) : known
    }
  }

  private func release(_ term: Address<TermNode>, _ retired: inout RetiredList<UInt>) {
    guard unsafe term.node.pointee.isEmpty else { return }
    let space = unsafe space(term.node.pointee.options)
    unsafe space.node.pointee.remove(term, &retired)
  }
}
