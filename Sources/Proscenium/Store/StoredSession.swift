// SPDX-License-Identifier: Apache-2.0

/// One session as a store in memory keeps it: its row and its saved state together.
public struct StoredSession: Sendable, Equatable {
  /// The session's identifier.
  public let persistentIdentifier: SessionIdentifier

  /// The role.
  public let role: SceneSessionRole

  /// The name of the configuration, or `nil`.
  public let configurationName: String?

  /// The name of the delegate's class, or `nil`.
  public let delegateClass: String?

  /// The name of the scene's class, or `nil`.
  public let sceneClass: String?

  /// The revision of the manifest by which the session was configured, or `nil`.
  public let manifestRevision: String?

  /// The activation counter's value when the session last became active; 0 if it never did.
  public var lastActivated: UInt64

  /// The scene group, or `nil` for the default one.
  public var group: SceneGroup?

  /// The state to restore the scene from.
  public var stateRestorationActivity: UserActivity?

  /// Small settings of the session.
  public var userInfo: [String: UserInfoValue]?

  /// Which content the session can and would rather show.
  public var activationConditions: SceneActivationConditions

  /// The title.
  public var title: String?

  /// The second line of the title.
  public var subtitle: String?

  /// The switcher's snapshots by variant; the one without a variant has the empty name.
  public var snapshots: [String: [UInt8]]

  /// What ends the session besides a request.
  public var destructionConditions: Set<SceneDestructionCondition>

  /// The wakes that wait, in the order in which they are due.
  public var wakes: [Wake]

  /// Whose session it is, or `nil`.
  public var owner: String?

  /// When the session was last seen in use, in milliseconds of ``StoreLoad/runningTime``, or `nil`.
  public var lastUsed: Int64?

  /// Creates a session as a store keeps it.
  public init(
    persistentIdentifier: SessionIdentifier, role: SceneSessionRole = .windowApplication,
    configurationName: String? = nil, delegateClass: String? = nil, sceneClass: String? = nil,
    manifestRevision: String? = nil, lastActivated: UInt64 = 0,
    group: SceneGroup? = nil, stateRestorationActivity: UserActivity? = nil,
    userInfo: [String: UserInfoValue]? = nil,
    activationConditions: SceneActivationConditions = .init(), title: String? = nil,
    subtitle: String? = nil, snapshots: [String: [UInt8]] = [:],
    destructionConditions: Set<SceneDestructionCondition> = [], wakes: [Wake] = [],
    owner: String? = nil, lastUsed: Int64? = nil
  ) {
    self.persistentIdentifier = persistentIdentifier
    self.role = role
    self.configurationName = configurationName
    self.delegateClass = delegateClass
    self.sceneClass = sceneClass
    self.manifestRevision = manifestRevision
    self.lastActivated = lastActivated
    self.group = group
    self.stateRestorationActivity = stateRestorationActivity
    self.userInfo = userInfo
    self.activationConditions = activationConditions
    self.title = title
    self.subtitle = subtitle
    self.snapshots = snapshots
    self.destructionConditions = destructionConditions
    self.wakes = wakes
    self.owner = owner
    self.lastUsed = lastUsed
  }
}

extension StoredSession {
  /// Joins what a store keeps apart.
  init(_ row: SessionRow, _ state: SavedState) {
    self.init(
      persistentIdentifier: row.persistentIdentifier, role: row.configuration.role,
      configurationName: row.configuration.name, delegateClass: row.configuration.delegateClass,
      sceneClass: row.configuration.sceneClass,
      manifestRevision: row.configuration.manifestRevision, lastActivated: row.lastActivated,
      group: row.group, stateRestorationActivity: state.activity, userInfo: state.userInfo,
      activationConditions: row.activationConditions, title: row.title, subtitle: row.subtitle,
      snapshots: state.snapshots, destructionConditions: row.destructionConditions,
      wakes: state.wakes, owner: row.owner, lastUsed: row.lastUsed)
  }

  /// What is kept in the open.
  var row: SessionRow {
    SessionRow(
      persistentIdentifier: persistentIdentifier, configuration: storedConfiguration,
      lastActivated: lastActivated, group: group, activationConditions: activationConditions,
      title: title, subtitle: subtitle, destructionConditions: destructionConditions,
      nextWake: WakeList(wakes).next, owner: owner, lastUsed: lastUsed)
  }

  /// Row and saved state together, as a session in memory holds them.
  var details: SessionDetails {
    var details = row.details
    details.state = state
    return details
  }

  /// What is sealed.
  var state: SavedState {
    SavedState(
      activity: stateRestorationActivity, userInfo: userInfo, snapshots: snapshots,
      wakeList: WakeList(wakes))
  }

  /// What is remembered of the configuration.
  var storedConfiguration: StoredConfiguration {
    StoredConfiguration(
      role: role, name: configurationName, delegateClass: delegateClass, sceneClass: sceneClass,
      manifestRevision: manifestRevision)
  }
}
