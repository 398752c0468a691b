// SPDX-License-Identifier: Apache-2.0

extension PolicyTrace {
  /// What comes of disconnecting scenes after a time without events, however many there are.
  package struct IdleOutcome: Hashable, Sendable {
    /// The number of events that found their scene connected.
    package let hits: Int
    /// The mean number of connected scenes over the time of the trace.
    package let meanConnected: Double
  }

  /// Counts hits and scenes where each scene is disconnected after a time without events.
  ///
  /// - Parameter seconds: The time; a session that comes back just then finds its scene.
  /// - Returns: The outcome; nil where the trace has no times, or all are the same.
  package func idleOutcome(after seconds: UInt32) -> IdleOutcome? {
    guard times.count == events.count, let end = times.last, end > 0 else { return nil }
    // When each session ends or has its next event, which is a hit if it comes in time.
    var next = [UInt32](repeating: end, count: sessionCount)
    var isUsedAgain = [Bool](repeating: false, count: sessionCount)
    var nextDiscard = discards.count - 1
    var hits = 0
    var connectedSeconds = 0
    for index in events.indices.reversed() {
      while nextDiscard >= 0, discards[nextDiscard].event > index {
        let discard = discards[nextDiscard]
        if discard.event < times.count { next[Int(discard.session)] = times[discard.event] }
        nextDiscard -= 1
      }
      let session = Int(events[index])
      let gap = next[session] - times[index]
      if isUsedAgain[session], gap <= seconds { hits += 1 }
      connectedSeconds += Int(min(gap, seconds))
      next[session] = times[index]
      isUsedAgain[session] = true
    }
    return IdleOutcome(hits: hits, meanConnected: Double(connectedSeconds) / Double(end))
  }
}
