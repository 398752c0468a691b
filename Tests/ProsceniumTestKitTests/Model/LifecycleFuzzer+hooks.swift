// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
@testable import ProsceniumTestKit

/// Draws what a vector checks inside a callback.
extension LifecycleFuzzer {
  /// A hook for one of the lines that a command logs.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - before: The model before the command.
  ///   - log: What the command logs.
  /// - Returns: The hook; nil if no line has a moment that the rules determine.
  mutating func drawHook(
    _ command: ModelCommand, before: LifecycleModel, _ log: [ModelEntry]
  ) -> JSONValue? {
    let lines = log.flatMap(\.lines).filter(Self.hasMoment)
    guard let line = random.pick(lines) else { return nil }
    var watched = before
    watched.moments[line] = []
    _ = watched.perform(command)
    guard let moment = watched.moments[line]?.first else { return nil }
    var members: [JSONMember] = []
    if !watched.log.isBranched {
      var keys = ["connectedScenes"]
      // While one scene gives way to another, the application may count as active all the time.
      let isSwitch = !watched.log.situations.isDisjoint(with: ["hand-over", "held with a victim"])
      if watched.log.touched.count == 1, !isSwitch { keys.append("applicationState") }
      // Nothing says when a new session becomes one of the open ones.
      if watched.highestLabel == before.highestLabel { keys.append("openSessions") }
      for key in keys {
        if let value = moment[key] { members.append(JSONMember(key, value)) }
      }
    }
    if line.hasPrefix("S") {
      let scene = String(line.prefix { $0 != "." })
      guard let fields = moment["scenes"]?[scene] else { return nil }
      members.append(JSONMember("scenes", .object([JSONMember(scene, fields)])))
    }
    guard !members.isEmpty else { return nil }
    return ["line": .text(line), "expect": .object(members)]
  }

  /// Whether the rules say what can be seen at a line: inside the callbacks of scenes (R-ACT-3) and
  /// of discards, but not where scenes are made or notifications are posted.
  private static func hasMoment(_ line: String) -> Bool {
    if line.hasPrefix("app.didDiscardSceneSessions") { return true }
    guard line.hasPrefix("S"), let dot = line.firstIndex(of: ".") else { return false }
    let call = line[dot...].dropFirst()
    return call != "init" && !call.hasPrefix("note(")
  }
}
