// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPredicate

@testable import ProsceniumTestKit

/// What can be seen of the state after a command, in the words of a vector's `expect`.
extension LifecycleModel {
  /// Everything that the model knows, as an object of which an `expect` is a part.
  var observation: JSONValue {
    var members: [(String, JSONValue)] = [
      ("process", .text(isRunning ? "running" : "notRunning")),
      ("storedSessions", list(store.keys)),
      ("stored", object(store.map { ($0.key, fields(of: $0.value)) })),
      ("released", .list(disconnected.map(\.description).sorted().map { .text($0) })),
      ("errors", .list(errors.map(\.observation))),
      ("discardReasons", object(discardReasons.map { ($0.key, .text($0.value)) })),
      ("lastRoute", lastRoute?.observation ?? .null),
    ]
    if isRunning {
      members += [
        ("applicationState", .text(applicationStateName)),
        ("openSessions", list(sessions.keys)), ("connectedScenes", .list(connectedScenes)),
        ("sessions", object(readable.map { ($0.key, fields(of: $0.value, $0.key)) })),
        ("scenes", scenes),
      ]
    }
    return .object(members.map { JSONMember($0.0, $0.1) })
  }

  /// The open sessions, and those whose discard is being delivered.
  private var readable: [ModelLabel: ModelSession] {
    sessions.merging(leaving) { open, _ in open }
  }

  private var applicationStateName: String {
    switch applicationState {
    case .active: "active"
    case .inactive: "inactive"
    case .background, .unattached: "background"
    }
  }

  private func list(_ labels: some Collection<ModelLabel>) -> JSONValue {
    .list(labels.sorted().map { .text("\($0)") })
  }

  private func object(_ members: [(ModelLabel, JSONValue)]) -> JSONValue {
    .object(members.sorted { $0.0 < $1.0 }.map { JSONMember("\($0.0)", $0.1) })
  }

  private var connectedScenes: [JSONValue] {
    labels { $0.scene != nil }.map { .text(sceneName($0)) }
  }

  private func sceneName(_ label: ModelLabel) -> String {
    "\(label)#\(sessions[label]?.scene?.number ?? 0)"
  }

  private var scenes: JSONValue {
    .object(
      labels { $0.scene != nil }.map { label in
        let scene = sessions[label]?.scene
        let fields: JSONValue = [
          "activationState": .text(scene?.state.name ?? ""),
          "rawActivationState": .integer(scene?.state.rawActivationState ?? 0),
          "delegateClass": scene?.configuration.delegateClass.map { .text($0) } ?? .null,
        ]
        return JSONMember(sceneName(label), fields)
      })
  }

  private func fields(of session: ModelSession, _ label: ModelLabel) -> JSONValue {
    guard case .object(let members) = fields(of: session.row) else { return .null }
    return .object(
      members + [
        JSONMember("scene", session.scene == nil ? .null : .text(sceneName(label))),
        JSONMember("pendingRefresh", .bool(session.hasPendingRefresh)),
        JSONMember("configuration", session.row.configuration.observation),
      ])
  }

  private func fields(of row: ModelRow) -> JSONValue {
    [
      "role": .text(row.role),
      "stateRestorationActivity": row.activity.map {
        ["label": .text($0.label), "userInfo": $0.userInfo]
      } ?? .null,
      "userInfo": row.userInfo ?? .null,
      "activationConditions": [
        "can": .text("\(row.conditions.can)"), "prefers": .text("\(row.conditions.prefers)"),
      ],
    ]
  }
}

extension ModelConfiguration {
  fileprivate var observation: JSONValue {
    [
      "name": name.map { .text($0) } ?? .null,
      "delegateClass": delegateClass.map { .text($0) } ?? .null,
      "sceneClass": sceneClass.map { .text($0) } ?? .null,
    ]
  }
}

extension LifecycleModel.ReportedError {
  fileprivate var observation: JSONValue {
    let numbers = ["multipleScenesNotSupported": 0, "requestDenied": 1]
    return [
      "op": .text(operation), "code": .text(code),
      "number": numbers[code].map { .integer($0) } ?? .null,
    ]
  }
}

extension LifecycleModel.Route {
  /// The decision as `lastRoute` gives it.
  var observation: JSONValue {
    [
      "rule": .text(rule), "candidates": .list(candidates.map { .text("\($0)") }),
      "chosen": chosen.map { .text("\($0)") } ?? .null,
    ]
  }
}
