// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// A vector of the life cycle, to be compared with what the model predicts for its commands.
struct ModelVector: CustomStringConvertible {
  let id: String
  private let setup: ModelSetup
  private let steps: [JSONNode]
  private let expectation: JSONNode?

  var description: String { id }

  init(_ node: JSONNode) throws(JSONFileError) {
    id = try node.member("id").text()
    setup = try ModelSetup(node.member("setup"))
    steps = try node.member("steps").elements()
    expectation = try node.optional("expect")
  }

  /// The vectors of a file.
  static func vectors(in bytes: [UInt8], name: String) throws(JSONFileError) -> [ModelVector] {
    var vectors: [ModelVector] = []
    for node in try JSONParser.parse(bytes, file: name).member("vectors").elements() {
      vectors.append(try ModelVector(node))
    }
    return vectors
  }

  /// Where the vector and the model differ, each with its step.
  func differences() throws(JSONFileError) -> [String] {
    var model = LifecycleModel(setup)
    var differences: [String] = []
    for (index, step) in steps.enumerated() {
      let command = try step.member("cmd").text()
      let place = "step \(index + 1), \(command)"
      let hooks = try step.optional("during")?.elements() ?? []
      model.moments = [:]
      for hook in hooks { model.moments[try hook.member("line").text()] = [] }
      let predicted = model.perform(try ModelCommand(step))
      differences += model.doubts.map { "\(place): not determined: \($0)" }
      var expected: [ModelEntry] = []
      for entry in try step.member("log").elements() { expected.append(try ModelEntry(entry)) }
      if predicted.map(\.canonical) != expected.map(\.canonical) {
        differences.append("\(place): expected \(expected), predicted \(predicted)")
      }
      for hook in hooks {
        differences += try Self.differences(of: hook, model).map { "\(place): \($0)" }
      }
      if let expectation = try step.optional("expect") {
        differences += model.differences(from: expectation).map { "\(place): \($0)" }
      }
    }
    if let expectation {
      differences += model.differences(from: expectation).map { "at the end: \($0)" }
    }
    return differences
  }

  private static func differences(
    of hook: JSONNode, _ model: LifecycleModel
  ) throws(JSONFileError) -> [String] {
    let line = try hook.member("line").text()
    let nth = try hook.optional("nth")?.integer(in: 1...1_000) ?? 1
    let moments = model.moments[line] ?? []
    guard moments.count >= nth else { return ["the line \(line) does not occur"] }
    return model.differences(from: try hook.member("expect"), at: moments[nth - 1])
      .map { "in \(line): \($0)" }
  }
}
