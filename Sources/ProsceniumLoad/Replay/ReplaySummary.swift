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
  /// The scenes that were connected, new ones and those that came back.
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

extension ReplaySummary {
  /// The summary for people, without the verdict.
  ///
  /// A table with its units, then sentences about what is not as it should be.
  public var text: String {
    var text = isComplete ? "" : "stopped early: what follows is about the lines read so far\n"
    if let continuation {
      text += "continued after line \(continuation): requests, users, sessions and the comparison "
      text += "are those of all runs\n"
    }
    text += figures.table.description
    text += section("malformed lines", malformed, of: malformedLines)
    text += section("refused requests", counts.failures, of: counts.failed)
    text += section("differences", verification.differences, of: nil)
    return text
  }

  /// Every figure of the run.
  private var figures: [SummaryFigure] {
    let isShort = logSeconds < 3_600
    return [
      .init(nil, "lines", lines), .init("requests", "requests", verification.requests),
      .init("malformed lines", "malformed_lines", malformedLines),
      .init("users", "users", verification.users),
      .init(
        "log time", "log_time", Double(logSeconds), .seconds,
        text: NumberText.clock(seconds: Double(logSeconds)) + (isShort ? " min:s" : " h:min:s")),
      .init("activation requests", "activations", counts.activations),
      .init("events", "events", counts.events),
      .init("sessions", "sessions", verification.sessions),
      .init("  destroyed", "destroyed", counts.destroyed),
      .init("  open at the end", "open_sessions", counts.openSessions),
      .init("scenes connected", "connections", counts.connections),
      .init("  at most at once", "connected_peak", counts.connectedPeak),
      .init("sent to the background, idle", "idle_backgrounds", counts.idleBackgrounds),
      .init(nil, "background_entries", counts.backgroundEntries),
      .init("system disconnects", "system_disconnects", counts.systemDisconnects),
      .init(nil, "spared_scenes", counts.sparedScenes),
      .init("restorations", "restorations", counts.restorations),
      .init(nil, "failed_requests", counts.failed),
    ] + costs + durabilityFigures + verdictFigures
  }

  private var costs: [SummaryFigure] {
    [
      .init("time", "time", cost.seconds, .seconds),
      .init("requests delivered", "requests_per_second", requestsPerSecond, .perSecond),
      .init(
        "processors at work", "processors", cost.processors,
        text: NumberText.fixed(cost.processors, places: 2)),
      .init("allocated", "allocated", cost.memory.map { Double($0.allocated) }, .bytes),
      .init("resident", "resident", cost.memory.map { Double($0.resident) }, .bytes),
      .init(
        "allocations a request", "allocations_per_request", cost.allocationsPerRequest,
        text: NumberText.fixed(cost.allocationsPerRequest ?? 0, places: 1)),
    ]
      + cost.sessions.map { session in
        // Without what is behind a comma.
        let words = session.name.prefix { $0 != "," }.split(separator: " ")
        return .init(
          session.name, "bytes_per_" + words.joined(separator: "_"), session.bytes, .bytes)
      }
  }

  private var durabilityFigures: [SummaryFigure] {
    guard let durability else { return [] }
    return [
      .init(nil, "continued_after_line", continuation ?? 0),
      .init("commits", "commits", durability.commits),
      .init("  changes in them", "committed_changes", durability.changes),
      .init("  saved states in them", "committed_states", Double(durability.bytes), .bytes),
    ]
  }

  private var verdictFigures: [SummaryFigure] {
    [
      .init("restored states compared", nil, verification.restorations),
      .init("final states compared", nil, verification.finalStates),
      .init("lost", "lost", verification.lost),
      .init("duplicated", "duplicated", verification.duplicated),
      .init("reordered", "reordered", verification.reordered),
      .init(nil, "unexpected", verification.unexpected),
      .init(nil, "wrong_choices", verification.wrongChoices),
      .init(nil, "wrong_destructions", verification.wrongDestructions),
      .init(nil, "wrong_states", verification.wrongStates),
      .init(nil, "verified", verification.isVerified ? 1 : 0),
      .init(nil, "complete", isComplete ? 1 : 0),
    ]
  }

  /// The totals of the run as rows of the CSV.
  ///
  /// - Parameter name: What was replayed.
  /// - Returns: One row a metric; the memory's only where a meter read it.
  public func rows(name: String) -> [CSVRow] { figures.rows(.replay, name: name) }

  private func section(_ title: String, _ sentences: [String], of count: Int?) -> String {
    guard !sentences.isEmpty else { return "" }
    let more = (count ?? 0) - sentences.count
    let rest = more > 0 ? ["and \(NumberText.grouped(more)) more"] : []
    return "\(title):\n" + (sentences + rest).map { "  \($0)\n" }.joined()
  }
}
