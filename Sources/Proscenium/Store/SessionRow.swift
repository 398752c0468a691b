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

  /// Group, conditions and titles; nothing of the saved state.
  var details: SessionDetails

  /// Whether the store keeps a saved state of the session; what a change says of it is ignored.
  public var hasSavedState: Bool

  /// Whether the session was discarded while no application was running (R-DST-4).
  public var isDiscarded: Bool

  /// Nothing, or one error.
  private var damages: [StoreError]

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
  ///   - destructionConditions: What ends the session besides a request.
  ///   - hasSavedState: Whether the store keeps a saved state.
  ///   - isDiscarded: Whether the session was discarded while no application was running.
  ///   - nextWake: When the session's next wake is due.
  ///   - owner: Whose session it is.
  ///   - lastUsed: When the session was last seen in use.
  ///   - damage: What is wrong with the session.
  public init(
    persistentIdentifier: SessionIdentifier, configuration: StoredConfiguration = .init(),
    lastActivated: UInt64 = 0, group: SceneGroup? = nil,
    activationConditions: SceneActivationConditions = .init(), title: String? = nil,
    subtitle: String? = nil, destructionConditions: Set<SceneDestructionCondition> = [],
    hasSavedState: Bool = false, isDiscarded: Bool = false, nextWake: Int64? = nil,
    owner: String? = nil, lastUsed: Int64? = nil, damage: StoreError? = nil
  ) {
    self.init(
      persistentIdentifier, configuration, lastActivated: lastActivated, details: .none)
    // Most rows of a large store have none of it.
    if group != nil { details.group = group }
    if activationConditions != SceneActivationConditions() {
      details.activationConditions = activationConditions
    }
    if title != nil { details.title = title }
    if subtitle != nil { details.subtitle = subtitle }
    if !destructionConditions.isEmpty { details.destructionConditions = destructionConditions }
    if nextWake != nil { details.nextWake = nextWake }
    if owner != nil { details.owner = owner }
    if lastUsed != nil { details.lastUsed = lastUsed }
    self.hasSavedState = hasSavedState
    self.isDiscarded = isDiscarded
    self.damage = damage
  }

  /// Creates a row of a session that has a configuration and nothing else yet: the short way, for
  /// stores that give many.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: The session's identifier.
  ///   - configuration: The configuration.
  public init(persistentIdentifier: SessionIdentifier, configuration: StoredConfiguration) {
    self.init(persistentIdentifier, configuration, lastActivated: 0, details: .none)
  }

  /// Makes a row from details, of which it keeps what is not saved state.
  init(
    _ identifier: SessionIdentifier, _ configuration: StoredConfiguration, lastActivated: UInt64,
    details: SessionDetails
  ) {
    persistentIdentifier = identifier
    self.configuration = configuration
    self.lastActivated = lastActivated
    self.details = details.withoutState
    hasSavedState = false
    isDiscarded = false
    damages = []
  }

  /// The scene group, or `nil` for the default one.
  public var group: SceneGroup? {
    get { details.group }
    set { details.group = newValue }
  }

  /// Which content the session can and would rather show.
  public var activationConditions: SceneActivationConditions {
    get { details.activationConditions }
    set { details.activationConditions = newValue }
  }

  /// The title.
  public var title: String? {
    get { details.title }
    set { details.title = newValue }
  }

  /// The second line of the title.
  public var subtitle: String? {
    get { details.subtitle }
    set { details.subtitle = newValue }
  }

  /// What ends the session besides a request.
  public var destructionConditions: Set<SceneDestructionCondition> {
    get { details.destructionConditions }
    set { details.destructionConditions = newValue }
  }

  /// When the session's next wake is due, in whole milliseconds since 1970, or `nil`.
  ///
  /// The wakes themselves are part of the saved state; a launch schedules them by this alone.
  public var nextWake: Int64? {
    get { details.nextWake }
    set { details.nextWake = newValue }
  }

  /// Whose session it is, or `nil`.
  public var owner: String? {
    get { details.owner }
    set { details.owner = newValue }
  }

  /// When the session was last seen in use, in whole milliseconds of ``StoreLoad/runningTime``, or
  /// `nil`.
  public var lastUsed: Int64? {
    get { details.lastUsed }
    set { details.lastUsed = newValue }
  }

  /// What is wrong with the row or with the saved state as far as the store has seen, or `nil`.
  ///
  /// The session is open all the same; it is connected only after its saved state was dropped.
  public var damage: StoreError? {
    get { damages.first }
    set { damages = newValue.map { [$0] } ?? [] }
  }
}
