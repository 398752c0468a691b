// SPDX-License-Identifier: Apache-2.0

extension SceneRules {
  /// The rules of an application's settings and manifest.
  init(
    _ settings: ApplicationSettings, declaredTypes: Set<String>?, hasApplicationDelegate: Bool,
    budget: CallbackBudget?
  ) {
    self.init(
      dances: settings.snapshotDance == .uikit,
      snapshotVariants: settings.snapshotVariants.isEmpty ? nil : settings.snapshotVariants,
      restorationLimit: settings.restorationLimit, durability: settings.durability,
      durabilityOfRoles: settings.durabilityOfRoles, declaredTypes: declaredTypes,
      hasApplicationDelegate: hasApplicationDelegate,
      makeFront: Self.front(settings.makeFront, budget))
  }

  private static func front(
    _ make: (@Sendable (any SceneDelegate) -> any SceneDelegate)?, _ budget: CallbackBudget?
  ) -> (@Sendable (any SceneDelegate) -> any SceneDelegate)? {
    guard let budget else { return make }
    return { TimedSceneDelegate(make?($0) ?? $0, budget) }
  }
}
