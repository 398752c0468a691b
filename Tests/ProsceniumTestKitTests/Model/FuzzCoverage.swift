// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// Counts what random vectors have led to.
struct FuzzCoverage {
  /// How often each thing happened, by its name.
  private(set) var counts: [String: Int] = [:]
  /// How often a command was not used, by the reason.
  private(set) var doubts: [String: Int] = [:]

  mutating func note(_ command: JSONValue, _ log: [ModelEntry], _ model: LifecycleModel) {
    note(command: command)
    for edge in model.log.edges { count("edge \(edge)") }
    for situation in model.log.situations { count("situation \(situation)") }
    if command.isRouted, let route = model.lastRoute { count("route \(route.rule)") }
    for entry in log {
      if case .unordered = entry { count("unordered") }
      for line in entry.lines { count("line \(Self.kind(of: line))") }
    }
  }

  mutating func noteDoubts(_ doubts: [String]) {
    for doubt in Set(doubts) { self.doubts[doubt, default: 0] += 1 }
  }

  mutating func add(_ other: FuzzCoverage) {
    counts.merge(other.counts, uniquingKeysWith: +)
    doubts.merge(other.doubts, uniquingKeysWith: +)
  }

  private mutating func note(command: JSONValue) {
    guard case .text(let name) = command["cmd"] else { return }
    count("command \(name)")
    if command["hold"] == true { count("command \(name) held") }
    if command["source"] != nil { count("command \(name) with a source") }
    if command["requestingScene"] != nil { count("command \(name) with a requester") }
    if name == "launch" {
      let reason = command["reason"] == "background" ? "background" : "icon"
      count("command launch by \(command["event"] == nil ? reason : "event")")
    }
  }

  private mutating func count(_ name: String) { counts[name, default: 0] += 1 }

  /// How often something happened.
  subscript(_ name: String) -> Int { counts[name] ?? 0 }

  /// A line without sessions, activities and numbers.
  static func kind(of line: String) -> String {
    var kind = Substring(line)
    if kind.hasPrefix("S"), let dot = kind.firstIndex(of: ".") {
      kind = kind[kind.index(after: dot)...]
    }
    if ["err(", "log(", "eval(", "app.note(", "note("].contains(where: kind.hasPrefix) {
      return String(kind)
    }
    if kind.hasPrefix("willConnect(") { return String(kind.prefix { $0 != ":" }) }
    if kind.hasPrefix("stateRestorationActivity") {
      return "stateRestorationActivity -> " + (kind.hasSuffix(" nil") ? "nil" : "…")
    }
    return String(kind.prefix { $0 != "(" && $0 != "{" })
      + (kind.hasPrefix("snapshot(") ? "(…)" : "")
  }
}
