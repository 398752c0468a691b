// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// One test vector: a setup, steps, and the expected result.
struct LifecycleVector: Decodable, Sendable {
  let id: String
  let title: String
  let rules: [String]
  let grade: String
  let note: String?
  let setup: VectorSetup
  let steps: [VectorStep]
  /// What has to hold after the last step.
  let expect: VectorExpectation?
  let `repeat`: VectorNumber?

  /// Reads a vector.
  static func read(_ node: JSONNode) throws(JSONFileError) -> LifecycleVector {
    var labels: Set<String> = []
    for (label, _) in try node.member("setup").optional("activities")?.members() ?? [] {
      labels.insert(label)
    }
    guard let key = ActivityLabel.declared else { preconditionFailure("no key") }
    let vector: LifecycleVector = try node.decode(userInfo: [key: labels])
    if vector.setup.process != .running,
      let index = vector.setup.sessions?.all.firstIndex(where: { $0.state != .archived })
    {
      let session = try node.member("setup").member("sessions").elements()[index]
      throw try session.member("state").failure(
        .unknownValue, "archived, since the process is not running")
    }
    return vector
  }
}

/// A step of a vector: a command, and what is to come of it.
struct VectorStep: Decodable, Sendable {
  let command: VectorCommand
  let log: [LogEntry]
  let hooks: [VectorExpectation.Hook]
  let expectation: VectorExpectation?

  init(from decoder: any Decoder) throws {
    let arguments = CommandArguments(decoder)
    log = try arguments.get("log")
    hooks = try arguments.find("during") ?? []
    expectation = try arguments.find("expect")
    command = try VectorCommand(arguments)
  }
}
