// SPDX-License-Identifier: Apache-2.0

/// Which session each of many events went to, in their order: what policies are compared on.
///
/// Eight bytes an event. Sessions are numbered from 0 in the order of their first event.
package struct PolicyTrace: Sendable {
  /// A session that was destroyed, and before which event.
  package struct Discard: Hashable, Sendable {
    /// The index of the first event after it.
    package let event: Int
    /// The session's number.
    package let session: UInt32
  }

  /// The largest number of events.
  package static let eventLimit = 50_000_000
  /// The largest number of sessions.
  package static let sessionLimit = 10_000_000

  /// The session of each event.
  package private(set) var events: [UInt32] = []
  /// The seconds from the first event to each one, never falling; empty where they are not known.
  package private(set) var times: [UInt32] = []
  /// The sessions that were destroyed, in order.
  package private(set) var discards: [Discard] = []
  /// The number of sessions.
  package private(set) var sessionCount = 0
  /// The number of lines of its log that were no requests.
  package var malformedCount = 0

  private var time = LogTime()

  /// Makes an empty trace.
  package init() {}

  /// Adds an event of a session without a time.
  ///
  /// - Parameter session: A number below ``sessionCount``, or the next one for a new session.
  package mutating func append(_ session: UInt32) {
    events.append(session)
    sessionCount = max(sessionCount, Int(session) + 1)
  }

  /// Adds an event of a session.
  ///
  /// - Parameters:
  ///   - session: A number below ``sessionCount``, or the next one for a new session.
  ///   - time: Its time in seconds, by the rules of ``LogTime``.
  package mutating func append(_ session: UInt32, time: Int64) {
    append(session)
    self.time.advance(to: time)
    times.append(UInt32(clamping: self.time.seconds))
  }

  /// Adds that a session was destroyed after the last event.
  package mutating func discard(_ session: UInt32) {
    discards.append(Discard(event: events.count, session: session))
  }

  /// Sizes to compare policies with: a hundredth, a thirtieth, a tenth, a third and two thirds
  /// of the sessions, of those that differ and are at least 1.
  package var suggestedSizes: [Int] {
    let shares = [(1, 100), (1, 30), (1, 10), (1, 3), (2, 3)]
    let sizes = shares.map { max(sessionCount * $0.0 / $0.1, 1) }
    return Set(sizes).sorted()
  }
}
