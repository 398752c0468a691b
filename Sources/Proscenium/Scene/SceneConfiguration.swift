// SPDX-License-Identifier: Apache-2.0

/// A kind of scene: a name, the role it is for, and how the delegate of such a scene is made.
///
/// Configurations come from the ``SceneManifest`` or from a delegate that chooses them
/// (``ConfiguringApplicationDelegate``). A session keeps the configuration that was chosen when it
/// was made; relaunches and reconnections do not ask again (R-CON-1).
public struct SceneConfiguration: Sendable {
  typealias DelegateFactory = @Sendable () -> any SceneDelegate

  /// Says which content a new session can show, before its scene exists to say so itself.
  public typealias InitialConditions =
    @Sendable (Scene.ConnectionOptions) -> SceneActivationConditions

  private var storage: Storage

  private final class Storage: Sendable {
    /// What a store remembers of it.
    let stored: StoredConfiguration
    let makeDelegate: DelegateFactory?
    let initialConditions: InitialConditions?
    /// It names the entry of a manifest that has the name.
    let isReference: Bool

    init(
      _ stored: StoredConfiguration, makeDelegate: DelegateFactory? = nil,
      initialConditions: InitialConditions? = nil,
      isReference: Bool = false
    ) {
      self.stored = stored
      self.makeDelegate = makeDelegate
      self.initialConditions = initialConditions
      self.isReference = isReference
    }
  }

  /// The class of scenes whose configuration names none.
  public static let defaultSceneClass = "WindowScene"

  /// Creates a configuration from the function that makes its delegates.
  ///
  /// A class whose initializer takes no arguments is named by it: `SceneConfiguration("Editor",
  /// Editor.init)`. The class's name is what a session remembers.
  ///
  /// - Parameters:
  ///   - name: The name, unique among the configurations of its role.
  ///   - role: The role of the sessions that it is for.
  ///   - initialConditions: The activation conditions of a new session, from its admission until
  ///     its delegate sets others. Without it a new session can show everything, so that an event
  ///     which arrives before its scene has connected may be routed to it. A pure function: it is
  ///     called with the application's gate held and must neither block nor call back.
  ///   - makeDelegate: Makes one delegate; called on the scene's executor, once a connection.
  public init<Delegate: SceneDelegate & SendableMetatype>(
    _ name: String, role: SceneSession.Role = .windowApplication,
    initialConditions: InitialConditions? = nil, _ makeDelegate: @escaping @Sendable () -> Delegate
  ) {
    storage = Storage(
      StoredConfiguration(
        role: role, name: name, delegateClass: "\(Delegate.self)",
        sceneClass: Self.defaultSceneClass),
      makeDelegate: makeDelegate, initialConditions: initialConditions)
  }

  /// Creates an entry of a manifest that names the class of its delegates, as an Info.plist does.
  ///
  /// The manifest knows how to make one if the class is among its delegate classes; otherwise
  /// scenes of the configuration connect without a delegate (R-CFG-3).
  public init(
    name: String, role: SceneSession.Role = .windowApplication, delegateClass: String?,
    sceneClass: String? = Self.defaultSceneClass
  ) {
    storage = Storage(
      StoredConfiguration(
        role: role, name: name, delegateClass: delegateClass, sceneClass: sceneClass))
  }

  /// Creates a configuration that only names one of the manifest, as a delegate returns it.
  ///
  /// - Parameters:
  ///   - name: The name to look up, or `nil` for the first entry of the role (R-CFG-3).
  ///   - sessionRole: The role to look under.
  public init(name: String?, sessionRole: SceneSession.Role) {
    storage = Storage(StoredConfiguration(role: sessionRole, name: name), isReference: true)
  }

  /// Creates what a store remembers of a configuration: no factory.
  init(_ stored: StoredConfiguration) {
    storage = Storage(stored)
  }

  /// The same configuration with a way to make its delegates, and the manifest's revision.
  func completed(
    by makeDelegate: DelegateFactory?, revision: String?
  ) -> SceneConfiguration {
    guard makeDelegate != nil || revision != self.revision else { return self }
    var completed = self
    completed.storage = Storage(
      StoredConfiguration(
        role: role, name: name, delegateClass: delegateClass, sceneClass: sceneClass,
        manifestRevision: revision),
      makeDelegate: makeDelegate ?? self.makeDelegate,
      initialConditions: initialConditions)
    return completed
  }

  /// The name, or `nil` if the first entry of the role is meant.
  public var name: String? { stored.name }

  /// The role of the sessions that it is for.
  public var role: SceneSession.Role { stored.role }

  /// The name of the delegate's class, or `nil` if a scene of it has no delegate.
  ///
  /// A delegate may change it in the configuration that it returns; the class must be one that the
  /// manifest knows (R-CFG-3, R-CFG-5).
  public var delegateClass: String? {
    get { stored.delegateClass }
    set { change(delegateClass: newValue, sceneClass: sceneClass) }
  }

  /// The name of the scene's class, or `nil` for ``defaultSceneClass``.
  ///
  /// Every scene is a ``Scene``; the name is kept for programs that share a manifest with UIKit.
  public var sceneClass: String? {
    get { stored.sceneClass }
    set { change(delegateClass: delegateClass, sceneClass: newValue) }
  }

  private mutating func change(delegateClass: String?, sceneClass: String?) {
    let isSameClass = delegateClass == stored.delegateClass
    storage = Storage(
      StoredConfiguration(
        role: role, name: name, delegateClass: delegateClass, sceneClass: sceneClass,
        manifestRevision: revision),
      makeDelegate: isSameClass ? makeDelegate : nil,
      initialConditions: isSameClass ? initialConditions : nil, isReference: isReference)
  }

  /// The revision of the manifest that completed it.
  var revision: String? { stored.manifestRevision }

  /// What a store remembers of it.
  var stored: StoredConfiguration { storage.stored }

  /// Whether it only names an entry of a manifest.
  var isReference: Bool { storage.isReference }

  /// The entry that this reference names, with what was set in the reference itself.
  func applied(to entry: SceneConfiguration) -> SceneConfiguration {
    var applied = entry
    if let delegateClass, delegateClass != entry.delegateClass {
      applied.delegateClass = delegateClass
    }
    if let sceneClass { applied.sceneClass = sceneClass }
    return applied
  }

  var makeDelegate: DelegateFactory? { storage.makeDelegate }
  var initialConditions: InitialConditions? { storage.initialConditions }

  /// Whether two values share their storage, hence are the same configuration.
  func isIdentical(to other: SceneConfiguration) -> Bool { storage === other.storage }
}
