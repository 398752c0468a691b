// SPDX-License-Identifier: Apache-2.0

extension SceneRules {
  /// The rules of an application's settings and manifest.
  init(
    _ settings: ApplicationSettings, declaredTypes: Set<String>?, hasApplicationDelegate: Bool,
    budget: CallbackBudget?
  ) {
    self.init(
      dances: settings.refreshesInForeground,
      snapshotVariants: settings.snapshotVariants.isEmpty ? nil : settings.snapshotVariants,
      restorationLimit: settings.restorationLimit, durability: settings.durability,
      durabilityOfRoles: settings.durabilityOfRoles, declaredTypes: declaredTypes,
      hasApplicationDelegate: hasApplicationDelegate,
      rememberedClients: settings.rememberedClients,
      makeFront: Self.front(settings.makeFront, budget))
  }

  private static func front(
    _ make: (@Sendable (any SceneDelegate) -> any SceneDelegate)?, _ budget: CallbackBudget?
  ) -> (@Sendable (any SceneDelegate) -> any SceneDelegate)? {
    guard let budget else { return make }
    return { SurroundedSceneDelegate(make?($0) ?? $0, TimedCallbacks(budget: budget)) }
  }
}

/// Notes when each callback of a scene begins and ends, and reports those that take too long.
private struct TimedCallbacks: CallbackSurround {
  let budget: CallbackBudget

  func begin(_ callback: Scene.Callback, _ scene: isolated Scene) -> Bool {
    budget.begin(callback, of: scene.persistentIdentifier, on: scene.context.shard)
  }

  func end(_ scene: isolated Scene) {
    if let slow = budget.end(on: scene.context.shard) { scene.context.events.report(slow) }
  }
}
