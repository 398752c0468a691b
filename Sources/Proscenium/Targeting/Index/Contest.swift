// SPDX-License-Identifier: Apache-2.0

/// The first of the sessions that were found so far, in the order of R-RT-6.
struct Contest {
  var best = Posting.none
}

extension ContentRouter {
  /// Tells whether a session comes before another one (R-RT-6 b to d).
  func isBefore(_ handle: UInt32, _ other: UInt32) -> Bool {
    let key = word(handle).key
    let otherKey = word(other).key
    if key != otherKey { return key > otherKey }
    return identifier(SessionHandle(rawValue: handle))
      < identifier(SessionHandle(rawValue: other))
  }

  /// Takes a session, if there is one and it comes before the first one so far.
  @inline(__always)
  func consider(_ handle: UInt32, _ contest: inout Contest) {
    if handle == Posting.none || handle == contest.best { return }
    if contest.best == Posting.none || isBefore(handle, contest.best) { contest.best = handle }
  }
}
