// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// The lives of the writers of one store, one after the other.
struct CrashLife<C: Clock>: Sendable where C.Duration == Duration {
  /// Why the parent stopped following a writer.
  enum Pause {
    /// What was waited for has come.
    case reached
    /// The time is over.
    case late
    /// The writer ended.
    case ended
    /// A signal asked the test to end.
    case interrupted
  }

  let folder: CrashFolder
  let settings: CrashSettings
  let clock: C
  let isInterrupted: @Sendable () -> Bool
  /// Is called now and then, to show how far the test is.
  let tick: @Sendable (Self) -> Void

  var ledger = CrashLedger()
  var summary = CrashSummary()
  /// Whether every session's key is wrapped by the newest application key.
  var hasOneKey = false
  private var isReady = false
  private var lives = 0

  init(
    _ folder: CrashFolder, _ settings: CrashSettings, _ clock: C,
    isInterrupted: @escaping @Sendable () -> Bool,
    tick: @escaping @Sendable (Self) -> Void
  ) {
    self.folder = folder
    self.settings = settings
    self.clock = clock
    self.isInterrupted = isInterrupted
    self.tick = tick
  }

  /// Whether there is a reason to end the test.
  var isOver: Bool { ledger.violationCount > 0 || isInterrupted() }

  /// Starts a writer.
  ///
  /// - Throws: What the system refuses.
  mutating func start(_ arguments: [String] = []) throws(FileError) -> CrashChild {
    ledger.begin()
    isReady = false
    lives += 1
    let seed = settings.seed &* 1_000_003 &+ UInt64(lives)
    let words = [
      "crash-writer", "--store", folder.store, "--key", folder.key, "--seed", "\(seed)",
      "--sessions", "\(settings.sessions)", "--writers", "\(settings.writers)",
    ]
    return try CrashChild(settings.program, words + arguments, errors: folder.errors)
  }

  /// Follows a writer until it has told what its store holds.
  mutating func awaitReady(_ child: inout CrashChild) -> Pause {
    let start = clock.now
    let pause = follow(&child, for: 60_000) { $0.isReady }
    switch pause {
    case .reached:
      hasOneKey = true
      summary.openings += 1
      let seconds = start.duration(to: clock.now) / .seconds(1)
      summary.longestOpening = max(summary.longestOpening, seconds)
    case .late: ledger.violate("the store was not opened within a minute")
    case .ended, .interrupted: break
    }
    return pause
  }

  /// Takes a writer's reports.
  ///
  /// - Parameters:
  ///   - child: The writer.
  ///   - milliseconds: For how long.
  ///   - isReached: What is waited for.
  /// - Returns: Why it is over.
  mutating func follow(
    _ child: inout CrashChild, for milliseconds: Int,
    until isReached: (Self) -> Bool = { _ in false }
  ) -> Pause {
    let end = clock.now.advanced(by: .milliseconds(milliseconds))
    while true {
      if isInterrupted() { return .interrupted }
      let left = clock.now.duration(to: end) / .milliseconds(1)
      guard left > 0 else { return .late }
      guard let lines = child.lines(within: min(Int(left.rounded(.up)), 100)) else {
        return .ended
      }
      take(lines)
      tick(self)
      if isReached(self) { return .reached }
    }
  }

  private mutating func take(_ lines: [Substring]) {
    for line in lines {
      guard let report = CrashReport(line) else {
        ledger.violate("the writer said '\(line)', which is no report")
        continue
      }
      ledger.note(report)
      if report == .ready { isReady = true }
    }
  }

  /// Kills a writer, unless it has ended itself, and takes what it had told before.
  mutating func end(_ child: consuming CrashChild) -> CrashChild.Ending {
    var child = child
    child.kill()
    while let lines = child.lines(within: 10_000) { take(lines) }
    summary.largestStore = max(summary.largestStore, folder.size(of: folder.store))
    summary.largestLog = max(summary.largestLog, folder.size(of: folder.log))
    return child.wait()
  }

  /// Kills a writer that must not have ended itself.
  mutating func kill(_ child: consuming CrashChild) {
    let ending = end(child)
    summary.kills += 1
    if ending != .signal(9) { ledger.violate("the writer ended by itself: \(words(ending))") }
  }

  /// How a writer ended, in words.
  func words(_ ending: CrashChild.Ending) -> String {
    let error = folder.lastError
    let reason = error.isEmpty ? "" : ": \(error)"
    return switch ending {
    case .exit(let code): "exit code \(code)\(reason)"
    case .signal(let number): "signal \(number)\(reason)"
    }
  }
}
