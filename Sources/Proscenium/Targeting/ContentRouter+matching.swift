// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Synchronization

// What the index knows of one identifier.
extension ContentRouter {
  /// Finds the best session of those whose predicate holds for a text, or ``Posting/none``.
  ///
  /// - Parameters:
  ///   - index: The predicates, or nowhere.
  ///   - text: The identifier's UTF-8 bytes.
  ///   - hash: Their hash.
  ///   - start: A session that matches for other reasons.
  @inline(__always)
  func best(
    in index: Address<PredicateIndex>, _ text: UnsafeRawBufferPointer, _ hash: UInt64,
    startingWith start: UInt32 = Posting.none
  ) -> UInt32 {
    var contest = Contest(best: start)
    guard !index.isNone else { return start }
    let plain = unsafe index.node.pointee.space(0)
    var folded = FoldedSubject()
    if !plain.isNone { unsafe match(plain, text, hash, subject: text, &folded, &contest) }
    for options in UInt8(1)..<4 {
      let space = unsafe index.node.pointee.space(options)
      if space.isNone { continue }
      unsafe match(space, folding: text, &folded, &contest)
    }
    unsafe index.node.pointee.residual.forEach { bits in
      unsafe consider(Address(bits: bits), text, &folded, &contest)
      return true
    }
    consider(unsafe index.node.pointee.everything.best.load(ordering: .acquiring), &contest)
    return contest.best
  }

  /// Considers what a folded space knows.
  @inline(never)
  private func match(
    _ space: Address<SpaceIndex>, folding subject: UnsafeRawBufferPointer,
    _ folded: inout FoldedSubject, _ contest: inout Contest
  ) {
    let options = unsafe ContentPredicate.Options(rawValue: space.node.pointee.options)
    let text = unsafe folded.bytes(options, of: Span(_unsafeElements: subject.assumingMemoryBound(to: UInt8.self)))
    unsafe text.withUnsafeBytes { text in
      let hash = unsafe ByteHash.shared(text)
      unsafe match(space, text, hash, subject: subject, &folded, &contest)
    }
  }

  /// Considers what one space knows of a text.
  @inline(__always)
  private func match(
    _ space: Address<SpaceIndex>, _ text: UnsafeRawBufferPointer, _ hash: UInt64,
    subject: UnsafeRawBufferPointer, _ folded: inout FoldedSubject, _ contest: inout Contest
  ) {
    unsafe space.node.pointee.forEachMatch(text, hash) { term in
      consider(term.best, &contest)
      unsafe term.node.pointee.hinted.forEach { bits in
        unsafe consider(Address(bits: bits), subject, &folded, &contest)
        return true
      }
    }
  }

  /// Considers the sessions of a predicate, if the best of them would win and it holds.
  @inline(never)
  private func consider(
    _ predicate: Address<VerifiedPredicate>, _ subject: UnsafeRawBufferPointer,
    _ folded: inout FoldedSubject, _ contest: inout Contest
  ) {
    let best = predicate.best
    if best == Posting.none || best == contest.best { return }
    if contest.best != Posting.none, !isBefore(best, contest.best) { return }
    let code = unsafe Span(_unsafeElements: predicate.code)
    let text = unsafe Span(_unsafeElements: subject.assumingMemoryBound(to: UInt8.self))
    if PredicateCode.evaluate(code, text, &folded) { contest.best = best }
  }

  // MARK: - One session

  /// Tells whether a session's predicate holds for a text.
  func holds(
    _ membership: Membership, _ text: UnsafeRawBufferPointer
  ) -> Bool {
    var folded = FoldedSubject()
    let subject = unsafe Span(_unsafeElements: text.assumingMemoryBound(to: UInt8.self))
    switch membership.home {
    case .nowhere: return false
    case .everything: return true
    case .term(let term):
      let options = unsafe ContentPredicate.Options(rawValue: term.node.pointee.options)
      let bytes = folded.bytes(options, of: subject)
      return unsafe bytes.withUnsafeBytes { unsafe term.matches($0) }
    case .predicate(let reference):
      let shared = Membership.predicate(at: reference).node
      let code = unsafe Span(_unsafeElements: shared.code)
      return PredicateCode.evaluate(code, subject, &folded)
    }
  }
}
