// SPDX-License-Identifier: Apache-2.0

/// How long two threads' decisions took, one by one, while a third thread did something.
public struct RoutingLatency: Sendable {
  /// What the third thread did.
  public enum Writer: String, CaseIterable, Sendable {
    /// There was none.
    case absent
    /// It used its processor and touched nothing: what the scheduler alone does to the readers.
    case idle
    /// It changed exact conditions as fast as it could.
    case changing
  }

  /// What the third thread did.
  public let writer: Writer

  /// How many sessions there were.
  public let sessions: Int

  /// The times of all decisions, each with one reading of the clock.
  public internal(set) var times = LatencyHistogram()

  /// How many changes were made.
  public internal(set) var changes = 0

  /// How long it went, in seconds.
  public internal(set) var seconds = 0.0

  /// How many decisions were wrong; any is a failure.
  public internal(set) var wrong = 0

  /// Creates an empty result.
  init(_ writer: Writer, sessions: Int) {
    self.writer = writer
    self.sessions = sessions
  }
}
