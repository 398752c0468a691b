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
}

/// A store in the process's own memory, which applies changes at once and cannot fail.
public protocol ImmediateSessionStore: SessionStore {
  /// Applies changes. It is called on shards' executors and must be short.
  func apply(_ changes: [SessionChange])
}

extension ImmediateSessionStore {
  /// Applies changes.
  public func commit(_ changes: [SessionChange]) async throws {
    apply(changes)
  }
}

/// Everything that a store keeps.
public struct StoredSessions: Sendable {
  /// The open sessions.
  public var sessions: [StoredSession]

  /// Sessions that were discarded while no application was running; the next launch reports them
  /// and removes them (R-DST-4).
  public var discarded: [StoredSession]

  /// Creates a value.
  public init(sessions: [StoredSession] = [], discarded: [StoredSession] = []) {
    self.sessions = sessions
    self.discarded = discarded
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

  /// Creates a session as a store keeps it.
  public init(
    persistentIdentifier: SessionIdentifier, role: SceneSession.Role = .windowApplication,
    configurationName: String? = nil, delegateClass: String? = nil, lastActivated: UInt64 = 0,
    group: SceneGroup? = nil, stateRestorationActivity: UserActivity? = nil,
    userInfo: [String: PropertyListValue]? = nil,
    activationConditions: SceneActivationConditions = .init(), title: String? = nil
  ) {
    self.persistentIdentifier = persistentIdentifier
    self.role = role
    self.configurationName = configurationName
    self.delegateClass = delegateClass
    self.lastActivated = lastActivated
    self.group = group
    self.stateRestorationActivity = stateRestorationActivity
    self.userInfo = userInfo
    self.activationConditions = activationConditions
    self.title = title
  }
}

/// One change of what a store keeps.
public struct SessionChange: Sendable {
  enum Kind: Sendable {
    case insert(configuration: SceneConfiguration, lastActivated: UInt64, SessionDetails)
    case update(SessionDetails)
    case activate(UInt64)
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
      var new = StoredSession(
        persistentIdentifier: session, role: configuration.role,
        configurationName: configuration.name, delegateClass: configuration.delegateClass,
        lastActivated: lastActivated)
      new.take(details)
      return new
    case .update(let details):
      var changed = stored
      changed?.take(details)
      return changed
    case .activate(let counter):
      var changed = stored
      changed?.lastActivated = counter
      return changed
    case .remove:
      return nil
    }
  }
}

extension StoredSession {
  mutating func take(_ details: SessionDetails) {
    group = details.group
    stateRestorationActivity = details.stateRestorationActivity
    userInfo = details.userInfo
    activationConditions = details.activationConditions
    title = details.title
  }

  var details: SessionDetails {
    var details = SessionDetails.none
    details.group = group
    details.stateRestorationActivity = stateRestorationActivity
    details.userInfo = userInfo
    details.activationConditions = activationConditions
    details.title = title
    return details
  }
}
