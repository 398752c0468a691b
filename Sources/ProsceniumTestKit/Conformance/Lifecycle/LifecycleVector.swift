// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// One test vector: a setup, steps, and the expected result.
struct LifecycleVector: Sendable {
  let id: String
  let title: String
  let setup: VectorSetup
  let steps: [VectorStep]
  /// What has to hold after the last step.
  let expectation: VectorExpectation?
  let repeatCount: Int

  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys(
      "id", "title", "rules", "grade", "note", "setup", "steps", "expect", "repeat")
    id = try node.member("id").text()
    title = try node.member("title").text()
    for rule in try node.member("rules").elements() { _ = try rule.text() }
    _ = try node.member("grade").text()
    _ = try node.optional("note")?.text()
    let setup = try VectorSetup(node.member("setup"))
    self.setup = setup
    var steps: [VectorStep] = []
    for step in try node.member("steps").elements() {
      steps.append(try VectorStep(step, activities: setup.activityLabels))
    }
    self.steps = steps
    expectation = try node.optional("expect").map(VectorExpectation.init)
    repeatCount = try node.optional("repeat")?.integer(in: 1...1_000_000) ?? 1
  }
}
