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
