// SPDX-License-Identifier: Apache-2.0

/// What happened how often in a replay.
public struct ReplayCounts: Hashable, Sendable {
  /// How many failures are told in words.
  public static let failureLimit = 5

  /// The requests that a session saw.
  public internal(set) var requests = 0
  /// The requests without a referrer, which were activation requests.
  public internal(set) var activations = 0
  /// The requests with a referrer, which were routed as events.
  public internal(set) var events = 0
  /// The sessions that were made.
  public internal(set) var sessions = 0
  /// The sessions that were open at the end.
  public internal(set) var openSessions = 0
  /// The scenes that were connected, anew and again.
  public internal(set) var connections = 0
  /// The largest number of connected scenes at any moment.
  public internal(set) var connectedPeak = 0
  /// The scenes that the system disconnected.
  public internal(set) var systemDisconnects = 0
  /// The disconnects that came to nothing: the scene was used or ended at the same moment.
  public internal(set) var sparedScenes = 0
  /// The scenes that were connected again with their saved state.
  public internal(set) var restorations = 0
  /// The scenes that went to the background since they were idle.
  public internal(set) var idleBackgrounds = 0
  /// The scenes that went to the background, for whatever reason.
  public internal(set) var backgroundEntries = 0
  /// The sessions that were destroyed to make room for another window of their user.
  public internal(set) var destroyed = 0
  /// The requests that the runtime refused; each is lost.
  public internal(set) var failed = 0
  /// The first refusals, in sentences with the numbers of their lines.
  public internal(set) var failures: [String] = []

  init() {}

  mutating func fail(line: Int, _ error: any Error) {
    failed += 1
    if failures.count < Self.failureLimit { failures.append("line \(line): \(error)") }
  }
}
