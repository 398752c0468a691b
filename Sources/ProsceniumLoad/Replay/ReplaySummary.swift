// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// What a replay did, what it took, and whether it was right.
public struct ReplaySummary: Sendable {
  /// The rules of the run.
  public let settings: ReplaySettings
  /// The number of lines that were read, of every kind.
  public let lines: Int
  /// The number of malformed lines.
  public let malformedLines: Int
  /// The first malformed lines, in sentences with their numbers.
  public let malformed: [String]
  /// The log time from the first request to the last one, in seconds.
  public let logSeconds: Int64
  /// Whether the log was read to its end, rather than to the moment at which the run was stopped.
  public let isComplete: Bool
  /// The line after which the run went on with its store, or nil if it was the first one.
  public let continuation: Int?
  /// What was brought to the store, or nil if nothing was to be kept.
  public let durability: DurabilityReport?
  /// What happened how often in this run.
  public let counts: ReplayCounts
  /// How far this run, and those that it goes on with, agree with the fold over the log.
  public let verification: ReplayVerification
  /// What the run took.
  public var cost: ReplayCost

  init(
    settings: ReplaySettings, input: ReplayInput, durability: DurabilityReport?,
    counts: ReplayCounts, verification: ReplayVerification, cost: ReplayCost
  ) {
    self.settings = settings
    lines = input.lines
    malformedLines = input.malformedCount
    malformed = input.malformed
    logSeconds = input.time.seconds
    isComplete = input.isComplete
    continuation = input.continuation
    self.durability = durability
    self.counts = counts
    self.verification = verification
    self.cost = cost
  }

  /// Delivered requests a second.
  public var requestsPerSecond: Double {
    cost.seconds > 0 ? Double(counts.requests) / cost.seconds : 0
  }

  /// The verdict in one line: `verified`, `verified, stopped early`, or `not verified:` and what
  /// differs how often.
  public var verdict: String {
    verification.isVerified && !isComplete ? "verified, stopped early" : verification.verdict
  }
}

/// What a replay took.
public struct ReplayCost: Sendable {
  /// From the start to the last delivery, in seconds; neither shutdown nor verification.
  public internal(set) var seconds: Double

  /// How many processors were at work, on average.
  public internal(set) var processors = 0.0

  /// The allocator's counters after the last delivery, with all sessions open.
  public internal(set) var memory: MemoryReading?

  /// The allocations of the whole program, reader and verifier included, for each request.
  public internal(set) var allocationsPerRequest: Double?

  /// What a scene and a session of the runtime cost in memory, measured apart from the run.
  public var sessions: [MemoryCost] = []
}

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
