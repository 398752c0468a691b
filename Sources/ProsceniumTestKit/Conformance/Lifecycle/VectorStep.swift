// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// A step of a vector: a command, and what is to come of it.
struct VectorStep: Sendable {
  /// Something that has to hold inside of one callback.
  struct Hook: Sendable {
    let line: String
    /// Which of the step's lines of that text is meant, from 1.
    let occurrence: Int
    let expectation: VectorExpectation
  }

  /// The command's name, for messages.
  let name: String
  let command: VectorCommand
  let log: [LogEntry]
  let hooks: [Hook]
  let expectation: VectorExpectation?

  init(_ node: JSONNode, activities: ActivityLabels) throws(JSONFileError) {
    name = try node.member("cmd").text()
    command = try VectorCommand(
      node, activities: activities, otherKeys: ["log", "during", "expect"])
    var log: [LogEntry] = []
    for entry in try node.member("log").elements() { log.append(try LogEntry(entry)) }
    self.log = log
    var hooks: [Hook] = []
    for hook in try node.optional("during")?.elements() ?? [] { hooks.append(try Hook(hook)) }
    self.hooks = hooks
    expectation = try node.optional("expect").map(VectorExpectation.init)
  }
}

extension VectorStep.Hook {
  fileprivate init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("line", "nth", "expect")
    line = try node.member("line").text()
    occurrence = try node.optional("nth")?.integer(in: 1...1_000_000) ?? 1
    expectation = try VectorExpectation(node.member("expect"))
  }
}
