// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium
import ProsceniumPredicate

/// A session that exists when a vector begins.
struct VectorSession: Decodable, Sendable {
  struct Identifier: JSONName {
    static let expected = "a UUID in lower case"
    let value: SessionIdentifier

    init?(_ text: String) {
      guard let value = SessionIdentifier(text),
        value.description.utf8.elementsEqual(text.utf8)
      else { return nil }
      self.value = value
    }

    var description: String { value.description }
  }

  struct SavedConfiguration: Decodable, Sendable {
    let name: String
    let delegateClass: String?
  }

  struct UserInfo: Decodable, Sendable {
    let values: [String: UserInfoValue]

    init(from decoder: any Decoder) throws {
      values = try VectorValues(from: decoder).values
      guard UserInfoValue.dictionary(values).isPropertyList else {
        throw decoder.json.failure(.unknownValue, "values that a property list can hold")
      }
    }
  }

  let label: SessionLabel
  let state: SuiteState
  /// The number of the connected scene, or of the last one.
  let instance: VectorNumber?
  fileprivate(set) var lastActivated: SuiteCount?
  private let identifier: Identifier?
  private let role: SuiteRole?
  private let configuration: SavedConfiguration?
  private let activationConditions: SessionFields.Conditions?
  private let stateRestorationActivity: Nullable<ActivityLabel>?
  private let userInfo: Nullable<UserInfo>?

  var persistentIdentifier: SessionIdentifier { identifier?.value ?? label.defaultIdentifier }

  /// The row of the session.
  ///
  /// - Parameters:
  ///   - manifest: The manifest, whose first configuration of the role is the session's unless it
  ///     names one; the class of the scene is the manifest's.
  ///   - activities: The activities of the setup.
  /// - Returns: The row.
  /// - Throws: What is wrong with its activation conditions.
  func row(
    _ manifest: [SceneConfiguration], _ activities: VectorActivities
  ) throws(PredicateFormatError) -> StoredSession {
    let role = role ?? .windowApplication
    let saved = configuration
    var configuration = manifest.first { entry in
      entry.role == role.role && (saved == nil || saved?.name == entry.name)
    }
    if let saved {
      configuration = VectorSetup.ManifestEntry(
        name: saved.name, delegateClass: saved.delegateClass,
        sceneClass: configuration?.sceneClass
      ).configuration(role)
    }
    return StoredSession(
      persistentIdentifier: persistentIdentifier, role: role.role,
      configurationName: configuration?.name, delegateClass: configuration?.delegateClass,
      sceneClass: configuration?.sceneClass,
      lastActivated: UInt64(lastActivated?.value ?? 0),
      stateRestorationActivity: stateRestorationActivity?.value.map { activities["\($0)"] },
      userInfo: userInfo?.value?.values,
      activationConditions: SceneActivationConditions(
        can: try ContentPredicate(
          format: activationConditions?.can ?? "TRUEPREDICATE", arguments: []),
        prefers: try ContentPredicate(
          format: activationConditions?.prefers ?? "FALSEPREDICATE", arguments: [])))
  }
}

/// The sessions of a setup, each label and identifier once.
struct VectorSessions: Decodable, Sendable {
  let all: [VectorSession]

  init(from decoder: any Decoder) throws {
    var names = UniqueNames()
    var identifiers = UniqueNames()
    var all = try [VectorSession](from: decoder)
    for (index, node) in try decoder.json.elements().enumerated() {
      try names.insert("\(all[index].label)", node.member("label"))
      try identifiers.insert(
        "\(all[index].persistentIdentifier)", node.optional("identifier") ?? node)
      // The later of two sessions was active last, and one in the foreground after all others.
      let position = index + 1 + (all[index].state.isForeground ? 1000 : 0)
      all[index].lastActivated = all[index].lastActivated ?? SuiteCount(position)
    }
    self.all = all
  }
}
