// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  /// What a trial has measured, as a table, and what must not have happened.
  struct TrialReport: Sendable {
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

    /// Prints the table; returns whether all holds.
    func show() -> Bool {
      for line in lines { say("  \(line)") }
      for problem in problems.prefix(10) { say("  problem: \(problem)") }
      say(problems.isEmpty ? "held" : "violated")
      return problems.isEmpty
    }
  }
#endif
