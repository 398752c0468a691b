// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Synchronization

/// One look at the index for an identifier, and the best session found so far.
///
/// It lives within a visit to the ``GracePeriods`` of its router and never counts a reference: two
/// threads that decide at the same time would otherwise fight over the counter.
@safe
struct Search {
  private let router: Unmanaged<ContentRouter>
  private let standings: StandingTable.View
  /// The identifier's UTF-8 bytes.
  private let subject: UnsafeRawBufferPointer
  private var folded: FoldedSubject?
  /// The addresses that are not to be looked at again: as a rule there is one at most.
  private var firstSeen: UInt = 0
  private var othersSeen: Set<UInt>?
  /// The session that comes first in the order of R-RT-6, or ``Posting/none``.
  private(set) var best = Posting.none

  @inline(__always)
  init(_ router: ContentRouter, _ subject: UnsafeRawBufferPointer) {
    unsafe self.router = Unmanaged.passUnretained(router)
    standings = router.standings.view
    unsafe self.subject = subject
  }

  // MARK: - Comparing

  /// Takes a session, if there is one and it comes before the best one so far.
  @inline(__always)
  mutating func consider(_ handle: UInt32) {
    if handle == Posting.none || handle == best { return }
    if best == Posting.none || isBefore(handle, best) { best = handle }
  }

  @inline(never)
  private func isBefore(_ handle: UInt32, _ other: UInt32) -> Bool {
    let key = standings[SessionHandle(rawValue: handle)].key
    let otherKey = standings[SessionHandle(rawValue: other)].key
    if key != otherKey { return key > otherKey }
    return unsafe router._withUnsafeGuaranteedRef { $0.isBefore(handle, other) }
  }

  // MARK: - Looking

  /// Considers the sessions of a role that can show everything.
  @inline(__always)
  mutating func considerDefaults(_ role: UInt8) {
    consider(unsafe router._withUnsafeGuaranteedRef { $0.best(role, canShowEverything: true) })
  }

  /// Considers every session whose predicate holds.
  ///
  /// - Parameters:
  ///   - index: The predicates, or nowhere.
  ///   - hash: The hash of the identifier.
  @inline(__always)
  mutating func look(in index: Address<PredicateIndex>, _ hash: UInt64) {
    guard !index.isNone else { return }
    let plain = unsafe index.node.pointee.space(0)
    if !plain.isNone { unsafe look(in: plain, subject, hash) }
    if unsafe index.node.pointee.hasMore { lookFurther(in: index) }
    consider(unsafe index.node.pointee.everything.best.load(ordering: .acquiring))
  }

  /// Considers what the folded spaces know, and the predicates that have to be evaluated.
  @inline(never)
  private mutating func lookFurther(in index: Address<PredicateIndex>) {
    for options in UInt8(1)..<4 {
      let space = unsafe index.node.pointee.space(options)
      if space.isNone { continue }
      let text = form(ContentPredicate.Options(rawValue: options))
      unsafe text.withUnsafeBytes { text in
        unsafe look(in: space, text, ByteHash.shared(text))
      }
    }
    var predicates = unsafe index.node.pointee.residual.cursor
    while let predicate = predicates.next() { evaluate(Address(bits: predicate)) }
  }

  @inline(__always)
  private mutating func look(
    in space: Address<SpaceIndex>, _ text: UnsafeRawBufferPointer, _ hash: UInt64
  ) {
    let whole = unsafe space.node.pointee.find(text, hash)
    if !whole.isNone { take(whole) }
    unsafe space.node.pointee.beginnings.search(text, &self)
    if unsafe !space.node.pointee.endings.isEmpty { unsafe lookAtEnding(in: space, text) }
    unsafe space.node.pointee.anywhere.search(text, &self)
  }

  @inline(never)
  private mutating func lookAtEnding(
    in space: Address<SpaceIndex>, _ text: UnsafeRawBufferPointer
  ) {
    unsafe Bytes.withReversed(text) { unsafe space.node.pointee.endings.search($0, &self) }
  }

  /// Considers what stands at a term that matches.
  @inline(__always)
  mutating func take(_ term: Address<TermNode>) {
    consider(term.best)
    if unsafe !term.node.pointee.hinted.isEmpty { followHints(term) }
  }

  /// Considers what stands at a term that may match at several places, its hints once.
  mutating func takeOnce(_ term: Address<TermNode>) {
    consider(term.best)
    if unsafe !term.node.pointee.hinted.isEmpty, sees(term.bits) { followHints(term) }
  }

  /// Tells whether an address is seen for the first time.
  mutating func sees(_ address: UInt) -> Bool {
    if firstSeen == address { return false }
    if firstSeen == 0 {
      firstSeen = address
      return true
    }
    othersSeen = othersSeen ?? []
    return othersSeen?.insert(address).inserted ?? false
  }

  /// Tells whether something would change if a term matched.
  func mayTake(_ term: Address<TermNode>) -> Bool {
    if unsafe !term.node.pointee.hinted.isEmpty { return true }
    let candidate = term.best
    if candidate == Posting.none || candidate == best { return false }
    return best == Posting.none || isBefore(candidate, best)
  }

  @inline(never)
  private mutating func followHints(_ term: Address<TermNode>) {
    var predicates = unsafe term.node.pointee.hinted.cursor
    while let predicate = predicates.next() { evaluate(Address(bits: predicate)) }
  }

  /// Considers the sessions of a predicate, if the best of them would win and it holds.
  private mutating func evaluate(_ predicate: Address<VerifiedPredicate>) {
    let candidate = predicate.best
    if candidate == Posting.none || candidate == best { return }
    if best != Posting.none, !isBefore(candidate, best) { return }
    let code = unsafe Span(_unsafeElements: predicate.code)
    let text = unsafe Span(_unsafeElements: subject.assumingMemoryBound(to: UInt8.self))
    var forms = folded.take() ?? FoldedSubject()
    if PredicateCode.evaluate(code, text, &forms) { best = candidate }
    folded = forms
  }

  /// The identifier, folded.
  private mutating func form(_ options: ContentPredicate.Options) -> ContiguousArray<UInt8> {
    var forms = folded.take() ?? FoldedSubject()
    defer { folded = forms }
    let text = unsafe Span(_unsafeElements: subject.assumingMemoryBound(to: UInt8.self))
    return forms.bytes(options, of: text)
  }
}
