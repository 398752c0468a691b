// SPDX-License-Identifier: Apache-2.0

/// Where sessions are kept while no process runs.
///
/// A store is loaded once, when the application is launched, and then receives changes in the order
/// in which they became true, session by session. It belongs to one application at a time.
public protocol SessionStore: Sendable {
  /// Reads everything that is kept.
  ///
  /// - Throws: Whatever keeps the store from being read; the launch fails with it.
  func load() async throws -> StoredSessions

  /// Applies changes, all or none.
  ///
  /// - Parameter changes: In order; a later change of a session counts.
  /// - Throws: Whatever keeps them from being applied. The runtime keeps the changes and offers
  ///   them again, together with what came later.
  func commit(_ changes: [SessionChange]) async throws

  /// Notes that the program is restoring its state, or that it is no longer
  /// (``Application/extendStateRestoration()``).
  ///
  /// - Parameter isRestoring: What ``StoredSessions/isRestoring`` is to be from now on.
  /// - Throws: Whatever keeps it from being noted; it is offered again with the next changes.
  func setRestoring(_ isRestoring: Bool) async throws
}

/// A store in the process's own memory, which applies changes at once and cannot fail.
public protocol ImmediateSessionStore: SessionStore {
  /// Applies changes. It is called on shards' executors and must be short.
  func apply(_ changes: [SessionChange])

  /// Notes that the program is restoring its state, or that it is no longer; called as
  /// ``apply(_:)`` is.
  func applyRestoring(_ isRestoring: Bool)
}

extension ImmediateSessionStore {
  /// Applies changes.
  public func commit(_ changes: [SessionChange]) async throws {
    apply(changes)
  }

  /// Notes that the program is restoring its state, or that it is no longer.
  public func setRestoring(_ isRestoring: Bool) async throws {
    applyRestoring(isRestoring)
  }
}

/// Everything that a store keeps.
public struct StoredSessions: Sendable {
  /// The open sessions.
  public var sessions: [StoredSession]

  /// Sessions that were discarded while no application was running; the next launch reports them
  /// and removes them (R-DST-4).
  public var discarded: [StoredSession]

  /// Whether the last application ended while it was restoring its state: then the saved state is
  /// what it failed at, and is dropped.
  public var isRestoring: Bool

  /// Creates a value.
  public init(
    sessions: [StoredSession] = [], discarded: [StoredSession] = [], isRestoring: Bool = false
  ) {
    self.sessions = sessions
    self.discarded = discarded
    self.isRestoring = isRestoring
  }
}

/// One session as it is kept.
public struct StoredSession: Sendable, Equatable {
  /// The session's identifier.
  public let persistentIdentifier: SessionIdentifier

  /// The role.
  public let role: SceneSession.Role

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
  public var userInfo: [String: PropertyListValue]?

  /// Which content the session can and would rather show.
  public var activationConditions: SceneActivationConditions

  /// The title.
  public var title: String?

  /// The second line of the title.
  public var subtitle: String?

  /// The switcher's snapshots by variant; the one without a variant has the empty name.
  public var snapshots: [String: [UInt8]]

  /// What ends the session beside a request.
  public var destructionConditions: Set<Scene.DestructionCondition>

  /// Creates a session as a store keeps it.
  public init(
    persistentIdentifier: SessionIdentifier, role: SceneSession.Role = .windowApplication,
    configurationName: String? = nil, delegateClass: String? = nil, sceneClass: String? = nil,
    manifestRevision: String? = nil, lastActivated: UInt64 = 0,
    group: SceneGroup? = nil, stateRestorationActivity: UserActivity? = nil,
    userInfo: [String: PropertyListValue]? = nil,
    activationConditions: SceneActivationConditions = .init(), title: String? = nil,
    subtitle: String? = nil, snapshots: [String: [UInt8]] = [:],
    destructionConditions: Set<Scene.DestructionCondition> = []
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
  }
}

/// One change of what a store keeps.
public struct SessionChange: Sendable {
  enum Kind: Sendable {
    case insert(configuration: SceneConfiguration, lastActivated: UInt64, SessionDetails)
    case update(SessionDetails)
    case activate(UInt64)
    case configure(SceneConfiguration)
    case remove
  }

  /// The session that changes.
  public let session: SessionIdentifier

  let kind: Kind

  /// Applies the change to what was kept of the session.
  ///
  /// - Parameter stored: What was kept, or `nil` if the session is new.
  /// - Returns: What is to be kept, or `nil` if the session is gone.
  public func applied(to stored: StoredSession?) -> StoredSession? {
    switch kind {
    case .insert(let configuration, let lastActivated, let details):
      return StoredSession(session, configuration, lastActivated: lastActivated, details)
    case .update(let details):
      var changed = stored
      changed?.take(details)
      return changed
    case .activate(let counter):
      var changed = stored
      changed?.lastActivated = counter
      return changed
    case .configure(let configuration):
      return stored.map {
        StoredSession(session, configuration, lastActivated: $0.lastActivated, $0.details)
      }
    case .remove:
      return nil
    }
  }
}

extension StoredSession {
  init(
    _ identifier: SessionIdentifier, _ configuration: SceneConfiguration, lastActivated: UInt64,
    _ details: SessionDetails
  ) {
    self.init(
      persistentIdentifier: identifier, role: configuration.role,
      configurationName: configuration.name, delegateClass: configuration.delegateClass,
      sceneClass: configuration.sceneClass, manifestRevision: configuration.revision,
      lastActivated: lastActivated)
    take(details)
  }

  /// What is remembered of the configuration.
  var configuration: SceneConfiguration {
    SceneConfiguration(
      remembered: configurationName, role: role, delegateClass: delegateClass,
      sceneClass: sceneClass, revision: manifestRevision)
  }

  mutating func take(_ details: SessionDetails) {
    group = details.group
    stateRestorationActivity = details.savedActivity
    userInfo = details.userInfo
    activationConditions = details.activationConditions
    title = details.title
    subtitle = details.subtitle
    snapshots = details.snapshots
    destructionConditions = details.destructionConditions
  }

  var details: SessionDetails {
    var details = SessionDetails.none
    details.group = group
    details.stateRestorationActivity = stateRestorationActivity
    details.userInfo = userInfo
    details.activationConditions = activationConditions
    details.title = title
    details.subtitle = subtitle
    details.snapshots = snapshots
    details.destructionConditions = destructionConditions
    return details
  }
}
