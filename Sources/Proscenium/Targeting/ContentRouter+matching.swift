// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

// What the router knows of single sessions.
extension ContentRouter {
  /// Tells whether a session comes before another one (R-RT-6 b to d).
  func isBefore(_ handle: UInt32, _ other: UInt32) -> Bool {
    let key = word(handle).key
    let otherKey = word(other).key
    if key != otherKey { return key > otherKey }
    return identifier(SessionHandle(rawValue: handle))
      < identifier(SessionHandle(rawValue: other))
  }

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
