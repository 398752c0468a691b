// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad

/// What `proscenium load` prints beside its results.
enum LoadText {
  /// The scenarios, one a line, name first.
  static var scenarios: String {
    var table = TextTable([.left, .left])
    for scenario in LoadScenario.named { table.add(scenario.name, scenario.summary) }
    return table.description
  }

  /// What is run, and where.
  static func beginning(_ scenario: LoadScenario, machine: String) -> String {
    var parts = ["\(NumberText.grouped(scenario.sessions)) sessions"]
    if let connected = scenario.connected {
      parts.append("\(NumberText.grouped(connected)) connected at most")
    }
    switch scenario.pace {
    case .open(let pace): parts.append(NumberText.rate(pace.lastRate))
    case .closed(let users): parts.append("\(NumberText.grouped(users)) users")
    }
    parts.append("skew \(scenario.skew)")
    parts.append("events \(scenario.mix)")
    parts.append("seed \(scenario.seed)")
    return "\(machine)\n\(scenario.name): \(parts.joined(separator: ", "))\n\n"
  }

  /// The command that repeats a run, with its seed.
  static func again(_ arguments: [String], seed: UInt64) -> String {
    let words = arguments.dropFirst().map { quoted($0) }
    let hasSeed = words.contains { $0 == "--seed" || $0.hasPrefix("--seed=") }
    return (["proscenium"] + words + (hasSeed ? [] : ["--seed", "\(seed)"]))
      .joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let plain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_=.,:/+%@".contains($0) }
    return plain && !word.isEmpty
      ? word
      : "'"
        + word.split(
          separator: "'", omittingEmptySubsequences: false
        ).joined(separator: "'\\''") + "'"
  }
}
