// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// What there is when a vector begins.
struct VectorSetup: Sendable {
  enum Process: String, Sendable, CaseIterable {
    case running, notRunning
  }

  /// Which of UIKit's notifications are logged.
  enum Notes: String, Sendable, CaseIterable {
    case none, app, all
  }

  private enum LastSessionClose: String, CaseIterable {
    case discard, uikitCompat
  }

  private enum SnapshotDance: String, CaseIterable {
    case quiet, uikit
  }

  struct Activity: Sendable {
    let type: String
    let targetContentIdentifier: String?
    let webpageURL: String?
    let userInfo: [String: UserInfoValue]
  }

  let isRunning: Bool
  let sessions: [VectorSession]
  /// No entries: there is no manifest.
  let manifest: [ManifestEntry]
  let registeredClasses: [String]
  let supportsMultipleScenes: Bool
  let activityTypes: [String]
  let activities: [String: Activity]
  let foregroundCapacity: Int
  let sessionQuota: Int?
  let lastSessionClose: ApplicationSettings.LastSessionClose
  let restorationLimit: Duration
  let snapshotVariants: [String]
  let snapshotDance: ApplicationSettings.SnapshotDance
  let notes: Notes
  /// What `configurationForConnecting` returns; nil if the application delegate lacks it.
  let configurationRules: [ConfigurationRule]?
  let scripts: SceneScripts

  /// The labels of its activities.
  var activityLabels: ActivityLabels { ActivityLabels(declared: Set(activities.keys)) }

  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys(
      "process", "sessions", "manifest", "registeredClasses", "supportsMultipleScenes",
      "activityTypes", "activities", "foregroundCapacity", "sessionQuota", "lastSessionClose",
      "restorationLimit", "snapshotVariants", "snapshotDance", "notes", "appDelegate",
      "sceneDelegate")
    let activities = try node.optional("activities").map(Self.activities) ?? [:]
    let labels = ActivityLabels(declared: Set(activities.keys))
    let isRunning = try node.optional("process")?.word(Process.self) == .running
    let manifest = try Self.manifest(node.optional("manifest"))
    self.activities = activities
    self.isRunning = isRunning
    self.manifest = manifest
    sessions = try Self.sessions(node.optional("sessions"), isRunning, manifest, labels)
    registeredClasses = try Self.texts(node.optional("registeredClasses")) ?? []
    supportsMultipleScenes = try node.optional("supportsMultipleScenes")?.bool() ?? true
    activityTypes = try Self.texts(node.optional("activityTypes")) ?? ["t"]
    foregroundCapacity = try node.optional("foregroundCapacity")?.integer(in: 1...1_000) ?? 1
    sessionQuota = try node.optional("sessionQuota")?.integer(in: 0...1_000_000)
    lastSessionClose =
      try node.optional("lastSessionClose")?.word(LastSessionClose.self) == .uikitCompat
      ? .uikitCompat : .discard
    restorationLimit = .seconds(
      try node.optional("restorationLimit")?.number(in: 0...1_000_000_000) ?? 10)
    snapshotVariants = try Self.variants(node.optional("snapshotVariants"))
    snapshotDance =
      try node.optional("snapshotDance")?.word(SnapshotDance.self) == .uikit ? .uikit : .quiet
    notes = try node.optional("notes")?.word(Notes.self) ?? .none
    configurationRules = try Self.rules(node.optional("appDelegate"))
    scripts =
      try node.optional("sceneDelegate").map { (node) throws(JSONFileError) in
        try SceneScripts(node, activities: labels)
      } ?? SceneScripts()
  }

  private static func texts(_ node: JSONNode?) throws(JSONFileError) -> [String]? {
    guard let elements = try node?.elements() else { return nil }
    var texts: [String] = []
    for element in elements { texts.append(try element.text()) }
    return texts
  }

  /// The runtime takes no more variants than it can keep.
  private static func variants(_ node: JSONNode?) throws(JSONFileError) -> [String] {
    let variants = try texts(node) ?? []
    if let node, variants.count > 8 {
      throw node.failure(.outOfRange, "at most 8 variants", found: "\(variants.count)")
    }
    return variants
  }

  private static func activities(_ node: JSONNode) throws(JSONFileError) -> [String: Activity] {
    var activities: [String: Activity] = [:]
    for (label, activity) in try node.members() {
      guard ActivityLabels.isLabel(label) else {
        throw activity.failure(
          .unknownKey, "a label of letters and digits", found: JSONValue.excerpt(label))
      }
      try activity.checkKeys("type", "targetContentIdentifier", "webpageURL", "userInfo")
      activities[label] = Activity(
        type: try activity.optional("type")?.text() ?? "t",
        targetContentIdentifier: try activity.optional("targetContentIdentifier")?.text(),
        webpageURL: try activity.optional("webpageURL")?.text(),
        userInfo: try activity.optional("userInfo")?.userInfoDictionary() ?? [:])
    }
    return activities
  }

  private static func manifest(_ node: JSONNode?) throws(JSONFileError) -> [ManifestEntry] {
    guard let node else { return [ManifestEntry(name: "Default", role: .windowApplication)] }
    var entries: [ManifestEntry] = []
    for (key, list) in try node.unlessNull?.members() ?? [] {
      guard let role = VectorRole(rawValue: key) else {
        let known = VectorRole.allCases.map(\.rawValue).joined(separator: ", ")
        throw list.failure(.unknownKey, "one of \(known)", found: JSONValue.excerpt(key))
      }
      for element in try list.elements() { entries.append(try ManifestEntry(element, role: role)) }
    }
    return entries
  }

  private static func rules(_ node: JSONNode?) throws(JSONFileError) -> [ConfigurationRule]? {
    guard let node else { return [] }
    try node.checkKeys("configurationForConnecting", "legacyUIMethods")
    // The delegate of this runtime has no such methods, so that nothing can call them.
    _ = try node.optional("legacyUIMethods")?.bool()
    guard let rules = try node.optional("configurationForConnecting") else { return [] }
    if case .text(let text) = rules.value {
      guard text != "absent" else { return nil }
      throw rules.failure(.unknownValue, "absent, or a list of rules")
    }
    var all: [ConfigurationRule] = []
    for rule in try rules.elements() { all.append(try ConfigurationRule(rule)) }
    return all
  }

  private static func sessions(
    _ node: JSONNode?, _ isRunning: Bool, _ manifest: [ManifestEntry], _ labels: ActivityLabels
  ) throws(JSONFileError) -> [VectorSession] {
    var sessions: [VectorSession] = []
    var names = UniqueNames()
    var identifiers = UniqueNames()
    for (index, element) in (try node?.elements() ?? []).enumerated() {
      let session = try VectorSession(
        element, position: index + 1, manifest: manifest, activities: labels)
      try names.insert("\(session.label)", element.member("label"))
      try identifiers.insert(
        "\(session.identifier)", try element.optional("identifier") ?? element)
      if !isRunning, session.state != .archived {
        throw try element.member("state").failure(
          .unknownValue, "archived, since the process is not running")
      }
      sessions.append(session)
    }
    return sessions
  }
}
