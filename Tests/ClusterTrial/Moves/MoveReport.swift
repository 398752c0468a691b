// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  /// What a trial has measured while slices moved, as a table, and what must not have happened.
  struct MoveReport: Sendable {
    private(set) var lines: [String] = []
    private(set) var problems: [String] = []

    /// A figure without a bar.
    mutating func add(_ name: String, _ figure: String) {
      lines.append(name.padded(to: 44) + figure.padded(to: 12, isNumber: true))
    }

    /// A figure with a bar: one that is far above it is a problem, since machines differ.
    mutating func add(_ name: String, _ value: Double, of bar: Double, _ unit: String = "") {
      let (figure, limit) = (Self.text(value), Self.text(bar))
      lines.append(
        name.padded(to: 44) + figure.padded(to: 12, isNumber: true)
          + " \(unit)".padded(to: 5) + "(\(limit))")
      if value > 10 * bar { problems.append("\(name): \(figure) \(unit)") }
    }

    private static func text(_ value: Double) -> String {
      value.formatted(value < 10 ? 2 : value < 100 ? 1 : 0)
    }

    /// What must not have happened.
    mutating func add(problems: [String]) { self.problems += problems }

    mutating func add(_ events: EventTotals) {
      add("events sent", "\(events.sent)")
      add("  a second", "\(events.time > 0 ? events.flowed * 1_000 / events.time : 0)")
      add("  longest wait until one was accepted, ms", "\(events.wait)")
      add("  refused, and not among those sent", "\(events.refused)")
      add("events given", "\(events.given)")
      add("  lost, as their sender was told", Double(events.lost), of: 0)
      add("  of these unknown", Double(events.unknown), of: 0)
      add("  missing", Double(events.missing), of: 0)
      add("  double", Double(events.double), of: 0)
      add("  out of order", Double(events.late), of: 0)
      add("sessions that did not answer at the end", Double(events.silent), of: 0)
    }

    mutating func add(_ gifts: Gifts) {
      add("gifts of slices", "\(gifts.count)")
      add("  slices in them", "\(gifts.slices)")
      add("  sessions in them", "\(gifts.sessions)")
      add("  not said to be served within 2 s", "\(gifts.unserved)")
      add("blackout of a session, p50", gifts.blackout(0.5), of: 30, "ms")
      add("blackout of a session, p99", gifts.blackout(0.99), of: 150, "ms")
      add("  the longest, ms", gifts.longest.formatted(0))
      problems += gifts.failures
    }

    /// What histories come to that nodes have written.
    mutating func add(_ checker: HistoryChecker) {
      add("messages of nodes that were written down", "\(checker.messages.given)")
      add("  told to be lost", Double(checker.messages.lost), of: 0)
      add("  proven to have come", "\(checker.messages.proven)")
      add("  missing, double, out of order, or stale", Double(checker.problems.count), of: 0)
      problems += checker.problems
    }

    /// Prints the table; returns whether all holds.
    func show() -> Bool {
      for line in lines { say("  \(line)") }
      for problem in problems.prefix(10) { say("  problem: \(problem)") }
      say(problems.isEmpty ? "held" : "violated")
      return problems.isEmpty
    }
  }
#endif
