// SPDX-License-Identifier: Apache-2.0

import Logging
import ProsceniumPrimitives

/// Logs why requests are refused and connections ended: each cause once a minute, with its count.
///
/// Strangers decide how often that happens; they do not decide how much is logged.
final class CauseLog: Sendable {
  static let interval = Duration.seconds(60)

  fileprivate struct Entry: Sendable {
    /// When the last line was written; nil before the first.
    var written: Duration?
    /// How many came since.
    var count = 0
  }

  private let log: Logger
  private let elapsed: @Sendable () -> Duration
  private let entries = Guarded<[RefusalCause: Entry]>([:])

  /// - Parameters:
  ///   - log: Where lines go.
  ///   - elapsed: Tells the time.
  init(_ log: Logger, elapsed: @escaping @Sendable () -> Duration) {
    self.log = log
    self.elapsed = elapsed
  }

  /// Notes that something was refused.
  func note(_ cause: RefusalCause) {
    let now = elapsed()
    let count = entries.withLock { entries -> Int? in
      entries[cause, default: Entry()].count += 1
      return entries[cause]?.takeIfDue(now)
    }
    if let count { write(cause, count) }
  }

  /// Writes what has gathered for a minute.
  func flush() {
    let now = elapsed()
    let due = entries.withLock { entries in
      entries.keys.sorted { $0.rawValue < $1.rawValue }.compactMap { cause in
        entries[cause]?.takeIfDue(now).map { (cause, $0) }
      }
    }
    for (cause, count) in due { write(cause, count) }
  }

  private func write(_ cause: RefusalCause, _ count: Int) {
    log.warning(
      "\(cause.rawValue)",
      metadata: ["count": "\(count)", "seconds": "\(Self.interval / .seconds(1))"])
  }
}

extension CauseLog.Entry {
  /// The count, if a line is due.
  fileprivate mutating func takeIfDue(_ now: Duration) -> Int? {
    guard count > 0, written.map({ now - $0 >= CauseLog.interval }) ?? true else { return nil }
    defer {
      count = 0
      written = now
    }
    return count
  }
}
