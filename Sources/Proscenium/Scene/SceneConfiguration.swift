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
    let name: String?
    let role: SceneSession.Role
    let delegateClass: String?
    let sceneClass: String?
    let storyboard: String?
    let makeDelegate: DelegateFactory?
    let initialConditions: InitialConditions?
    /// It stands for the entry of a manifest that has the name.
    let isReference: Bool
    let revision: String?
    /// What this is a copy of.
    let origin: Storage?

    init(
      name: String?, role: SceneSession.Role, delegateClass: String?, sceneClass: String? = nil,
      storyboard: String? = nil, makeDelegate: DelegateFactory? = nil,
      initialConditions: InitialConditions? = nil, isReference: Bool = false,
      revision: String? = nil, origin: Storage? = nil
    ) {
      self.name = name
      self.role = role
      self.delegateClass = delegateClass
      self.sceneClass = sceneClass
      self.storyboard = storyboard
      self.makeDelegate = makeDelegate
      self.initialConditions = initialConditions
      self.isReference = isReference
      self.revision = revision
      self.origin = origin
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
      name: name, role: role, delegateClass: "\(Delegate.self)",
      sceneClass: Self.defaultSceneClass, makeDelegate: makeDelegate,
      initialConditions: initialConditions)
  }

  /// Creates an entry of a manifest that names the class of its delegates, as an Info.plist does.
  ///
  /// The manifest knows how to make one if the class is among its delegate classes; otherwise
  /// scenes of the configuration connect without a delegate (R-CFG-3).
  public init(
    name: String, role: SceneSession.Role = .windowApplication, delegateClass: String?,
    sceneClass: String? = Self.defaultSceneClass, storyboard: String? = nil
  ) {
    storage = Storage(
      name: name, role: role, delegateClass: delegateClass, sceneClass: sceneClass,
      storyboard: storyboard)
  }

  /// Creates a configuration that only names one of the manifest, as a delegate returns it.
  ///
  /// - Parameters:
  ///   - name: The name to look up, or `nil` for the first entry of the role (R-CFG-3).
  ///   - sessionRole: The role to look under.
  public init(name: String?, sessionRole: SceneSession.Role) {
    storage = Storage(name: name, role: sessionRole, delegateClass: nil, isReference: true)
  }

  /// Creates what a store remembers of a configuration: no factory.
  init(
    remembered name: String?, role: SceneSession.Role, delegateClass: String?,
    sceneClass: String? = nil, revision: String? = nil
  ) {
    storage = Storage(
      name: name, role: role, delegateClass: delegateClass, sceneClass: sceneClass,
      revision: revision)
  }

  /// The same configuration with a way to make its delegates, and the manifest's revision.
  func completed(
    by makeDelegate: DelegateFactory?, revision: String?
  ) -> SceneConfiguration {
    guard makeDelegate != nil || revision != storage.revision else { return self }
    var completed = self
    completed.storage = Storage(
      name: name, role: role, delegateClass: delegateClass, sceneClass: sceneClass,
      storyboard: storyboard, makeDelegate: makeDelegate ?? self.makeDelegate,
      initialConditions: initialConditions, revision: revision)
    return completed
  }

  /// The name, or `nil` if the first entry of the role is meant.
  public var name: String? { storage.name }

  /// The role of the sessions that it is for.
  public var role: SceneSession.Role { storage.role }

  /// The name of the delegate's class, or `nil` if a scene of it has no delegate.
  ///
  /// A delegate may change it in the configuration that it returns; the class must be one that the
  /// manifest knows (R-CFG-3, R-CFG-5).
  public var delegateClass: String? {
    get { storage.delegateClass }
    set { change(delegateClass: newValue, sceneClass: sceneClass, storyboard: storyboard) }
  }

  /// The name of the scene's class, or `nil` for ``defaultSceneClass``.
  ///
  /// Every scene is a ``Scene``; the name is kept for programs that share a manifest with UIKit.
  public var sceneClass: String? {
    get { storage.sceneClass }
    set { change(delegateClass: delegateClass, sceneClass: newValue, storyboard: storyboard) }
  }

  /// The name of the scene's storyboard, or `nil`; kept, and not used.
  public var storyboard: String? {
    get { storage.storyboard }
    set { change(delegateClass: delegateClass, sceneClass: sceneClass, storyboard: newValue) }
  }

  private mutating func change(delegateClass: String?, sceneClass: String?, storyboard: String?) {
    let isSameClass = delegateClass == storage.delegateClass
    storage = Storage(
      name: name, role: role, delegateClass: delegateClass, sceneClass: sceneClass,
      storyboard: storyboard, makeDelegate: isSameClass ? makeDelegate : nil,
      initialConditions: isSameClass ? initialConditions : nil, isReference: storage.isReference,
      revision: storage.revision)
  }

  /// The revision of the manifest that completed it.
  var revision: String? { storage.revision }

  /// Whether it only names an entry of a manifest.
  var isReference: Bool { storage.isReference }

  /// The entry that this reference names, with what was set in the reference itself.
  func applied(to entry: SceneConfiguration) -> SceneConfiguration {
    var applied = entry
    if let delegateClass, delegateClass != entry.delegateClass {
      applied.delegateClass = delegateClass
    }
    if let sceneClass { applied.sceneClass = sceneClass }
    if let storyboard { applied.storyboard = storyboard }
    return applied
  }

  var makeDelegate: DelegateFactory? { storage.makeDelegate }
  var initialConditions: InitialConditions? { storage.initialConditions }

  /// The same configuration in a storage of its own, whose references are counted apart.
  var copied: SceneConfiguration {
    var copy = self
    copy.storage = Storage(
      name: name, role: role, delegateClass: delegateClass, sceneClass: sceneClass,
      storyboard: storyboard, makeDelegate: makeDelegate, initialConditions: initialConditions,
      isReference: isReference, revision: revision, origin: storage.origin ?? storage)
    return copy
  }

  /// Tells whether two values share their storage, hence are the same configuration; a copy shares
  /// that of its original.
  func isIdentical(to other: SceneConfiguration) -> Bool {
    (storage.origin ?? storage) === (other.storage.origin ?? other.storage)
  }
}
