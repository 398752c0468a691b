// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// What a vector's `setup` says, with the defaults of the format.
struct ModelSetup {
  enum Notes: String, CaseIterable {
    case none, app, all
  }

  private enum Process: String, CaseIterable {
    case running, notRunning
  }

  private enum LastSessionClose: String, CaseIterable {
    case discard, uikitCompat
  }

  private enum SnapshotDance: String, CaseIterable {
    case quiet, uikit
  }

  var isRunning = false
  var sessions: [ModelSeed] = []
  /// The configurations of each role; nil if there is no manifest.
  var manifest: [String: [ModelConfiguration]]?
  var registeredClasses: Set<String> = []
  var supportsMultipleScenes = true
  var activityTypes: Set<String> = ["t"]
  var activities: [String: ModelActivity] = [:]
  var foregroundCapacity = 1
  var sessionQuota: Int?
  /// Whether closing the last session ends the process and keeps the session (R-DST-6).
  var exitsWithLastSession = false
  var restorationLimit = 10.0
  var snapshotVariants: [String] = []
  /// Whether a refresh brings the scene to the foreground and back for its snapshot (R-RF-4).
  var dancesForSnapshots = false
  var notes = Notes.none
  var asksForConfigurations = true
  var configurationRules: [ModelConfigurationRule] = []
  var scripts: [String: ModelScript] = [:]

  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys(
      "process", "sessions", "manifest", "registeredClasses", "supportsMultipleScenes",
      "activityTypes", "activities", "foregroundCapacity", "sessionQuota", "lastSessionClose",
      "restorationLimit", "snapshotVariants", "snapshotDance", "notes", "appDelegate",
      "sceneDelegate")
    isRunning = try node.optional("process")?.word(Process.self) == .running
    manifest = try Self.manifest(node.optional("manifest"))
    registeredClasses = Set(try node.optional("registeredClasses")?.texts() ?? [])
    supportsMultipleScenes = try node.optional("supportsMultipleScenes")?.bool() ?? true
    activityTypes = Set(try node.optional("activityTypes")?.texts() ?? ["t"])
    for activity in try node.optional("activities")?.namedMembers ?? [] {
      activities[activity.key] = try ModelActivity(activity.node)
    }
    foregroundCapacity = try node.optional("foregroundCapacity")?.integer(in: 1...1_000) ?? 1
    sessionQuota = try node.optional("sessionQuota")?.integer(in: 0...1_000)
    let close = try node.optional("lastSessionClose")?.word(LastSessionClose.self)
    exitsWithLastSession = close == .uikitCompat
    restorationLimit = try node.optional("restorationLimit")?.number() ?? restorationLimit
    snapshotVariants = try node.optional("snapshotVariants")?.texts() ?? []
    dancesForSnapshots = try node.optional("snapshotDance")?.word(SnapshotDance.self) == .uikit
    notes = try node.optional("notes")?.word(Notes.self) ?? .none
    try readDelegates(node)
    for (index, seed) in try (node.optional("sessions")?.elements() ?? []).enumerated() {
      sessions.append(try ModelSeed(seed, at: index, self))
    }
  }

  /// The configuration that a new session of a role has before anybody is asked.
  func firstConfiguration(of role: String) -> ModelConfiguration? {
    manifest?[role]?.first
  }

  /// The configuration with a name, or the first of the role for nil (R-CFG-3).
  func configuration(named name: String?, role: String) -> ModelConfiguration? {
    guard let name else { return firstConfiguration(of: role) }
    return manifest?[role]?.first { $0.name == name }
  }

  /// Whether the build has a delegate class.
  func knowsClass(_ name: String) -> Bool {
    registeredClasses.contains(name)
      || manifest?.values.contains { $0.contains { $0.delegateClass == name } } ?? false
  }

  private static func manifest(
    _ node: JSONNode?
  ) throws(JSONFileError) -> [String: [ModelConfiguration]]? {
    let window = ModelConfiguration(
      name: "Default", delegateClass: "DefaultDelegate", sceneClass: "WindowScene")
    guard let node else { return ["windowApplication": [window]] }
    guard node.unlessNull != nil else { return nil }
    var manifest: [String: [ModelConfiguration]] = [:]
    for role in node.namedMembers {
      for entry in try role.node.elements() {
        manifest[role.key, default: []].append(try ModelConfiguration(entry))
      }
    }
    return manifest
  }

  private mutating func readDelegates(_ node: JSONNode) throws(JSONFileError) {
    if let delegate = try node.optional("appDelegate") {
      try delegate.checkKeys("configurationForConnecting", "legacyUIMethods")
      if let rules = try delegate.optional("configurationForConnecting") {
        if case .text = rules.value {
          asksForConfigurations = false
        } else {
          for rule in try rules.elements() {
            configurationRules.append(try ModelConfigurationRule(rule))
          }
        }
      }
    }
    for script in try node.optional("sceneDelegate")?.namedMembers ?? [] {
      scripts[script.key] = try ModelScript(script.node)
    }
  }
}
