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

  private let storage: Storage

  private final class Storage: Sendable {
    let name: String?
    let role: SceneSession.Role
    let delegateClass: String?
    let makeDelegate: DelegateFactory?
    let initialConditions: InitialConditions?

    init(
      name: String?, role: SceneSession.Role, delegateClass: String?,
      makeDelegate: DelegateFactory? = nil, initialConditions: InitialConditions? = nil
    ) {
      self.name = name
      self.role = role
      self.delegateClass = delegateClass
      self.makeDelegate = makeDelegate
      self.initialConditions = initialConditions
    }
  }

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
      name: name, role: role, delegateClass: "\(Delegate.self)", makeDelegate: makeDelegate,
      initialConditions: initialConditions)
  }

  /// Creates a configuration that only names one of the manifest, as a delegate returns it.
  ///
  /// - Parameters:
  ///   - name: The name to look up, or `nil` for the first entry of the role (R-CFG-3).
  ///   - sessionRole: The role to look under.
  public init(name: String?, sessionRole: SceneSession.Role) {
    storage = Storage(name: name, role: sessionRole, delegateClass: nil)
  }

  /// Creates what a store remembers of a configuration: no factory.
  init(remembered name: String?, role: SceneSession.Role, delegateClass: String?) {
    storage = Storage(name: name, role: role, delegateClass: delegateClass)
  }

  /// The name, or `nil` if the first entry of the role is meant.
  public var name: String? { storage.name }

  /// The role of the sessions that it is for.
  public var role: SceneSession.Role { storage.role }

  /// The name of the delegate's class, or `nil` if a scene of it has no delegate.
  public var delegateClass: String? { storage.delegateClass }

  var makeDelegate: DelegateFactory? { storage.makeDelegate }
  var initialConditions: InitialConditions? { storage.initialConditions }

  /// Tells whether two values share their storage, hence are the same configuration.
  func isIdentical(to other: SceneConfiguration) -> Bool {
    storage === other.storage
  }
}
