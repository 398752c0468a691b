// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
@testable import ProsceniumTestKit

/// Draws a random setup and random legal commands, and predicts with the model what happens.
///
/// A command whose outcome the rules leave open is not used.
struct LifecycleFuzzer {
  private static let expectationInterval = 10
  private static let hookChance = 15
  private static let attemptLimit = 200

  let seed: UInt64
  let setup: JSONValue
  var random: FuzzGenerator
  var model: LifecycleModel
  /// The vector's steps so far, with their logs and expectations.
  private(set) var steps: [JSONValue] = []
  private(set) var coverage = FuzzCoverage()
  private var invariants: ModelInvariants
  private(set) var violations: [String] = []

  init(seed: UInt64) throws(JSONFileError) {
    self.seed = seed
    var random = FuzzGenerator(seed: seed)
    setup = FuzzSetup.draw(&random)
    self.random = random
    model = LifecycleModel(try ModelSetup(Self.node(setup)))
    invariants = ModelInvariants(model)
  }

  /// A vector of so many commands.
  ///
  /// - Throws: `JSONFileError` if the fuzzer draws what does not fit the format.
  static func vector(
    seed: UInt64, commandCount: Int = 200
  ) throws(JSONFileError) -> LifecycleFuzzer {
    var fuzzer = try LifecycleFuzzer(seed: seed)
    for index in 1...commandCount { try fuzzer.addStep(isLast: index == commandCount) }
    return fuzzer
  }

  /// The file that holds the vector, or its first steps.
  func file(stepCount: Int? = nil) -> String {
    let members: [(String, String)] = [
      ("id", "\"F\(seed)\""), ("title", "\"Random commands, seed \(seed)\""), ("rules", "[]"),
      ("grade", "\"random\""), ("setup", setup.description),
    ]
    let head = members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ",\n ")
    let body = steps.prefix(stepCount ?? steps.count).map { "  \($0)" }.joined(separator: ",\n")
    return """
      {"format": "scene-conformance/1", "half": "A", "vectors": [{\(head),
       "steps": [
      \(body)]}]}

      """
  }

  static func node(_ value: JSONValue) -> JSONNode {
    JSONNode(value, path: .root, file: "random")
  }

  // MARK: - Steps

  private mutating func addStep(isLast: Bool) throws(JSONFileError) {
    let before = model
    let (command, after, log) = try nextCommand()
    model = after
    violations += invariants.check(log, model).map { "step \(steps.count + 1): \($0)" }
    coverage.note(command, log, model)
    guard case .object(var step) = command else { return }
    step.append(JSONMember("log", .list(log.map(\.json))))
    if random.chance(Self.hookChance),
      let hook = drawHook(try ModelCommand(Self.node(command)), before: before, log)
    {
      step.append(JSONMember("during", [hook]))
    }
    let isDue = isLast || (steps.count + 1).isMultiple(of: Self.expectationInterval)
    var expectation = isDue ? model.expectation : []
    if command.isRouted, let route = model.lastRoute {
      expectation.append(JSONMember("lastRoute", route.observation))
    }
    if !expectation.isEmpty { step.append(JSONMember("expect", .object(expectation))) }
    steps.append(.object(step))
  }

  /// How often a kind is tried now: what ends a special situation more often while there is one.
  private func weight(of kind: FuzzCommand) -> Int {
    guard model.isRunning else { return kind.weightWhileDown }
    let isSpecial =
      switch kind {
      case .tick: model.sessions.values.contains(where: \.hasPendingRefresh)
      case .completeRestoration, .advance:
        model.sessions.values.contains { $0.scene?.extensions ?? 0 > 0 }
      case .resume: model.sessions.values.contains { $0.state == .inactive }
      case .handoffPayload, .handoffFail: !model.announcements.isEmpty
      default: false
      }
    return kind.weightWhileRunning * (isSpecial ? 4 : 1)
  }

  /// Draws until there is a command that is legal and whose outcome is determined.
  private mutating func nextCommand() throws(JSONFileError) -> (
    JSONValue, LifecycleModel, [ModelEntry]
  ) {
    let kinds = FuzzCommand.allCases.map { ($0, weight: weight(of: $0)) }
    for _ in 1...Self.attemptLimit {
      guard let kind = random.pick(weighted: kinds), let command = draw(kind) else { continue }
      var after = model
      let log = after.perform(try ModelCommand(Self.node(command)))
      if after.doubts.isEmpty { return (command, after, log) }
      coverage.noteDoubts(after.doubts)
    }
    // This one is always legal and never in doubt.
    let command: JSONValue = ["cmd": "activity.mutate", "activity": "c", "userInfo": [:]]
    var after = model
    let log = after.perform(try ModelCommand(Self.node(command)))
    return (command, after, log)
  }
}

extension JSONValue {
  /// Whether a command routes an event.
  var isRouted: Bool {
    guard case .text(let name) = self["cmd"] else { return false }
    return name.hasPrefix("event.") || self["event"] != nil
  }
}

extension LifecycleModel {
  /// The `expect` of a step: all that can be seen, except what was routed last.
  var expectation: [JSONMember] {
    guard case .object(let members) = observation else { return [] }
    let known = members.filter { $0.key != "lastRoute" }.map { member in
      member.key == "sessions"
        ? JSONMember("sessions", withSettledNames(member.value)) : member
    }
    guard isRunning else { return known }
    return known + [
      JSONMember(
        "disjoint",
        [["openSessions", "discardedSessions"], ["storedSessions", "discardedSessions"]])
    ]
  }

  /// The fields of the sessions, without configurations that are to be replaced (R-CFG-6) or that
  /// were not found, whose name is open (R-CFG-3).
  private func withSettledNames(_ sessions: JSONValue) -> JSONValue {
    guard case .object(let members) = sessions else { return sessions }
    let unsettled = labels { resolve($0.row) != $0.row.configuration }.map(\.description)
    return .object(
      members.map { member in
        guard unsettled.contains(member.key), case .object(let fields) = member.value else {
          return member
        }
        return JSONMember(member.key, .object(fields.filter { $0.key != "configuration" }))
      })
  }
}
