// SPDX-License-Identifier: Apache-2.0

/// One representation that the user sees, whether or not a scene is connected to it (R-ID-1).
///
/// A value: what the session was when it was read. Changing a copy changes nothing else; a change
/// is made by ``Application/updateSession(_:_:)`` or by the session's scene. Sessions are made by
/// the application alone (R-ID-2); a program receives them from requests, from callbacks and from
/// ``Application/openSessions``. Two values are equal if they name the same session.
public struct SceneSession: Sendable, Identifiable {
  /// The identifier that the session keeps for its life (R-ID-3).
  public let persistentIdentifier: SessionIdentifier

  /// The configuration that was chosen when the session was made (R-CFG-5).
  public let configuration: SceneConfiguration

  var details: SessionDetails

  /// Reads the saved state, if it is not in the details.
  private let stored: StoredStates?

  /// Whether a refresh was requested and is still to be fulfilled (R-RF-5).
  public let hasPendingRefresh: Bool

  init(
    persistentIdentifier: SessionIdentifier, configuration: SceneConfiguration,
    details: SessionDetails, stored: StoredStates? = nil, hasPendingRefresh: Bool = false
  ) {
    self.persistentIdentifier = persistentIdentifier
    self.configuration = configuration
    self.details = details
    self.stored = stored
    self.hasPendingRefresh = hasPendingRefresh
  }

  /// The same as ``persistentIdentifier``.
  public var id: SessionIdentifier { persistentIdentifier }

  /// What the session is for; fixed for its life.
  public var role: Role { configuration.role }

  /// The scene group (one user, one display) that the session belongs to; fixed for its life.
  ///
  /// Sessions without one form the default group (R-ACTV-2).
  public var group: SceneGroup? { details.group }

  /// Whose session it is, or `nil`; fixed for its life.
  ///
  /// It decides which clients may attach (``ApplicationSettings/allowsClient``), and is nothing
  /// that events are routed by.
  public var owner: String? { details.owner }

  /// How many UTF-8 bytes an owner may have.
  public static let ownerSizeLimit = 256

  /// What the scene's delegate returned at the last state capture, or what the program set since
  /// (R-SR-2).
  ///
  /// It is `nil` for a session that was loaded while protected data was not available, until it is
  /// (R-SR-6). That of a session without a scene is read whenever it is asked for, if the store is
  /// in memory; one that cannot be read is `nil` here, and ``savedState()`` says why.
  public var stateRestorationActivity: UserActivity? {
    get { details.isLocked ? nil : state.activity }
    set { details.stateRestorationActivity = newValue }
  }

  /// Small settings of the session, property-list values only.
  public var userInfo: [String: UserInfoValue]? {
    get { state.userInfo }
    set { details.userInfo = newValue }
  }

  /// Which content the session can and would rather show (semantics#routing-inputs).
  public var activationConditions: SceneActivationConditions {
    get { details.activationConditions }
    set { details.activationConditions = newValue }
  }

  /// The title that the scene gave itself, or `nil`; an empty one is none.
  public var title: String? {
    get { details.title }
    set { details.title = newValue.flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// The second line of the title, or `nil`; an empty one is none.
  public var subtitle: String? {
    get { details.subtitle }
    set { details.subtitle = newValue.flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// What ends the session besides a request (R-DC-1); nothing, unless the scene says so.
  public var destructionConditions: Set<Scene.DestructionCondition> {
    get { details.destructionConditions }
    set { details.destructionConditions = newValue }
  }

  /// The wakes that wait, in the order in which they are due.
  ///
  /// Those of a session without a scene are read from the store whenever they are asked for.
  public var wakes: [Wake] { state.wakes }

  /// How large one snapshot may be, in bytes.
  public static let snapshotSizeLimit = SavedStateLimits.snapshotByteLimit

  /// Returns the last snapshot for the switcher that a delegate gave, or nil.
  ///
  /// - Parameter variant: One of ``ApplicationSettings/snapshotVariants``, or nil where there are
  ///   none.
  /// - Returns: The bytes as the delegate returned them.
  public func snapshot(variant: String? = nil) -> [UInt8]? {
    state.snapshots[variant ?? ""]
  }

  /// Returns the saved state: activity, settings and snapshots.
  ///
  /// That of a session without a scene is read from the store, if this is in memory; for any other
  /// there is ``Application/savedState(of:)``.
  ///
  /// - Throws: `stateUnreadable` if it cannot be opened, `stateUnavailable` if there is no key now
  ///   (R-SR-6) or if the store is not in memory.
  public func savedState() throws(SceneError) -> SavedState {
    guard let stored else { return details.state }
    guard let state = try stored.readAtOnce(persistentIdentifier) else {
      throw SceneError(
        .stateUnavailable, session: persistentIdentifier,
        "expected a saved state in memory, and it is in the store: ask Application.savedState(of:)")
    }
    return details.state.over(state.state)
  }

  /// As ``savedState()``, from any store.
  func readState() async throws(SceneError) -> SavedState {
    guard let stored else { return details.state }
    return details.state.over(try await stored.read(persistentIdentifier).state)
  }

  private var state: SavedState { (try? savedState()) ?? details.state }
}

extension SceneSession: Hashable {
  /// Tells whether two values name the same session, whatever else they hold.
  public static func == (left: Self, right: Self) -> Bool {
    left.persistentIdentifier == right.persistentIdentifier
  }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(persistentIdentifier)
  }
}

extension SceneSession {
  /// Makes a session that no application has, for tests of what a program does with one.
  ///
  /// - Parameters:
  ///   - stored: What it holds.
  ///   - configuration: Its configuration; if nil, what the row remembers of one.
  package init(_ stored: StoredSession, configuration: SceneConfiguration?) {
    self.init(
      persistentIdentifier: stored.persistentIdentifier,
      configuration: configuration ?? SceneConfiguration(stored.storedConfiguration),
      details: stored.details)
  }

  /// Makes a session that another process serves; its saved state stays there.
  init(elsewhere stored: StoredSession, _ states: StoredStates) {
    self.init(
      persistentIdentifier: stored.persistentIdentifier,
      configuration: SceneConfiguration(stored.storedConfiguration), details: stored.details,
      stored: states)
  }

  /// What another process is told of the session: all but its saved state.
  var forElsewhere: StoredSession {
    StoredSession(
      persistentIdentifier: persistentIdentifier, role: role,
      configurationName: configuration.name, delegateClass: configuration.stored.delegateClass,
      sceneClass: configuration.stored.sceneClass, manifestRevision: configuration.revision,
      group: group, activationConditions: activationConditions, title: title, subtitle: subtitle,
      destructionConditions: destructionConditions, owner: owner)
  }
}
