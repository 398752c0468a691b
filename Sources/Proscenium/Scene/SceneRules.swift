// SPDX-License-Identifier: Apache-2.0

/// What the settings and the manifest say about scenes.
struct SceneRules: Sendable {
  /// Whether a refresh goes through UIKit's snapshot pass (R-RF-4).
  let dances: Bool
  /// The names of the switcher's snapshots; nil means one without a name.
  let snapshotVariants: [String]?
  let restorationLimit: Duration
  let durability: Durability
  let durabilityOfRoles: [SceneSession.Role: Durability]
  /// The activity types that are kept; nil means all.
  let declaredTypes: Set<String>?
  let hasApplicationDelegate: Bool
  /// Wraps each delegate, if the settings ask for it.
  let makeFront: (@Sendable (any SceneDelegate) -> any SceneDelegate)?

  /// Whether activities of a type are kept (R-SR-5).
  func isDeclared(_ activityType: String) -> Bool {
    declaredTypes?.contains(activityType) ?? true
  }

  /// When the states of scenes of a role are captured.
  func promise(_ role: SceneSession.Role) -> Durability {
    durabilityOfRoles.isEmpty ? durability : durabilityOfRoles[role] ?? durability
  }

  /// What the store is given of a session's details.
  @inline(__always)
  func storable(_ details: SessionDetails) -> SessionDetails {
    declaredTypes == nil ? details : withoutUndeclared(details)
  }

  private func withoutUndeclared(_ details: SessionDetails) -> SessionDetails {
    guard let type = details.savedActivity?.activityType, !isDeclared(type) else { return details }
    var storable = details
    storable.savedActivity = nil
    return storable
  }
}
