// SPDX-License-Identifier: Apache-2.0

/// What a crash test did and found.
package struct CrashSummary: Sendable {
  /// Kills at random instants.
  package internal(set) var kills = 0
  /// How often the disk was filled.
  package internal(set) var fullDisks = 0
  /// Openings of a store, each on what the life before had left.
  package internal(set) var openings = 0
  /// The longest time from the start of a process to what its store holds, in seconds.
  package internal(set) var longestOpening = 0.0
  /// The largest main file and the largest log, in bytes.
  package internal(set) var largestStore = 0
  package internal(set) var largestLog = 0
  /// How long the test took, in seconds.
  package internal(set) var seconds = 0.0
  /// Whether it was ended from outside.
  package internal(set) var isInterrupted = false
  /// What was acknowledged and what was wrong, store by store.
  package internal(set) var ledgers: [CrashLedger] = []

  /// Whether every promise was held.
  package var isHeld: Bool { ledgers.allSatisfy { $0.violationCount == 0 } }

  /// The verdict in one line.
  package var verdict: String {
    if isHeld { return isInterrupted ? "held, stopped early" : "held" }
    let count = sum(\.violationCount)
    let first = ledgers.flatMap(\.violations).first ?? ""
    return "violated: \(first)" + (count > 1 ? " (and \(count - 1) more)" : "")
  }

  /// The summary for people, without the verdict.
  package var text: String {
    var table = TextTable([.left, .right, .left])
    table.add("kills at random instants", kills)
    table.add("full disks", fullDisks)
    table.add("openings after a kill", openings)
    table.add("  the longest one", NumberText.fixed(longestOpening, places: 2), "s")
    table.add("states acknowledged", sum(\.acknowledgements))
    table.add("  looked for after a kill", sum(\.checks))
    table.add("effects that waited for a state", sum(\.effects))
    table.add("discards acknowledged", sum(\.discards))
    table.add("activations whose order was looked for", sum(\.orders))
    table.add("states refused", sum(\.refusals))
    table.add("largest file", NumberText.bytes(largestStore))
    table.add("largest log", NumberText.bytes(largestLog))
    table.add("time", NumberText.fixed(seconds, places: 1), "s")
    table.add("violations", sum(\.violationCount))
    var text = (isInterrupted ? "stopped early\n" : "") + table.description
    for violation in ledgers.flatMap(\.violations) { text += "  \(violation)\n" }
    return text
  }

  private func sum(_ count: KeyPath<CrashLedger, Int>) -> Int {
    ledgers.reduce(0) { $0 + $1[keyPath: count] }
  }
}
