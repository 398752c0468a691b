// SPDX-License-Identifier: Apache-2.0

/// What a store keeps of a session in the open: everything but its saved state.
public struct SessionRow: Sendable {
  /// The session's identifier.
  public let persistentIdentifier: SessionIdentifier

  /// The configuration.
  public var configuration: StoredConfiguration

  /// The activation counter's value when the session last became active; 0 if it never did, below
  /// 2^48.
  public var lastActivated: UInt64

  /// The scene group, or `nil` for the default one.
  public var group: SceneGroup?

  /// Which content the session can and would rather show.
  public var activationConditions: SceneActivationConditions

  /// The title.
  public var title: String?

  /// The second line of the title.
  public var subtitle: String?

  /// What ends the session beside a request.
  public var destructionConditions: Set<Scene.DestructionCondition>

  /// Whether the store keeps a saved state of the session; what a change says of it is ignored.
  public var hasSavedState: Bool

  /// Whether the session was discarded while no application was running (R-DST-4).
  public var isDiscarded: Bool

  /// What is wrong with the row or with the saved state as far as the store has seen, or `nil`.
  ///
  /// The session is open all the same; it is connected only after its saved state was dropped.
  public var damage: StoreError?

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: The session's identifier.
  ///   - configuration: The configuration.
  ///   - lastActivated: The activation counter's value when the session last became active.
  ///   - group: The scene group.
  ///   - activationConditions: Which content the session can and would rather show.
  ///   - title: The title.
  ///   - subtitle: The second line of the title.
  ///   - destructionConditions: What ends the session beside a request.
  ///   - hasSavedState: Whether the store keeps a saved state.
  ///   - isDiscarded: Whether the session was discarded while no application was running.
  ///   - damage: What is wrong with the session.
  public init(
    persistentIdentifier: SessionIdentifier, configuration: StoredConfiguration = .init(),
    lastActivated: UInt64 = 0, group: SceneGroup? = nil,
    activationConditions: SceneActivationConditions = .init(), title: String? = nil,
    subtitle: String? = nil, destructionConditions: Set<Scene.DestructionCondition> = [],
    hasSavedState: Bool = false, isDiscarded: Bool = false, damage: StoreError? = nil
  ) {
    self.persistentIdentifier = persistentIdentifier
    self.configuration = configuration
    self.lastActivated = lastActivated
    self.group = group
    self.activationConditions = activationConditions
    self.title = title
    self.subtitle = subtitle
    self.destructionConditions = destructionConditions
    self.hasSavedState = hasSavedState
    self.isDiscarded = isDiscarded
    self.damage = damage
  }
}
