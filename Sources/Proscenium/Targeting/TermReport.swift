// SPDX-License-Identifier: Apache-2.0

/// Tells an observer by which terms the sessions of one index are found.
struct TermReport: Sendable {
  let kind: SharedTerm.Kind
  let observer: TermObserver

  /// A term came or went; without a trace another one is found by the same.
  func note(_ term: RoutingTerm, _ trace: TermTrace?, _ change: TermChange) {
    guard let trace, let shared = SharedTerm(kind, term, trace) else { return }
    observer(shared, change)
  }

  /// A session departs, and others that stay are found by the same term: it is as if the session
  /// had had one of its own.
  func noteDeparture(of term: RoutingTerm, _ trace: TermTrace) {
    note(term, trace, .entered)
    note(term, trace, .departed)
  }

  /// A session departs that no term finds, and others stay.
  func noteUnboundedDeparture() {
    observer(SharedTerm(unbounded: kind), .entered)
    observer(SharedTerm(unbounded: kind), .departed)
  }

  /// There are sessions that no term finds, or not, and it was so before or not.
  func note(isUnbounded: Bool, before: Bool, _ change: TermChange) {
    if isUnbounded != before { observer(SharedTerm(unbounded: kind), change) }
  }
}
