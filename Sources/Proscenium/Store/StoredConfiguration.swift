// SPDX-License-Identifier: Apache-2.0

/// What a store remembers of a session's configuration.
///
/// A value of one word; copies share their storage. A store that gives all sessions of one
/// configuration copies of one value is loaded faster.
public struct StoredConfiguration: Sendable {
  private let storage: Storage

  private final class Storage: Sendable {
    let role: SceneSessionRole
    let name: String?
    let delegateClass: String?
    let sceneClass: String?
    let manifestRevision: String?

    init(
      role: SceneSessionRole, name: String?, delegateClass: String?, sceneClass: String?,
      manifestRevision: String?
    ) {
      self.role = role
      self.name = name
      self.delegateClass = delegateClass
      self.sceneClass = sceneClass
      self.manifestRevision = manifestRevision
    }
  }

  /// Creates a configuration as it is stored.
  ///
  /// - Parameters:
  ///   - role: The role.
  ///   - name: The name of the configuration.
  ///   - delegateClass: The name of the delegate's class.
  ///   - sceneClass: The name of the scene's class.
  ///   - manifestRevision: The revision of the manifest.
  public init(
    role: SceneSessionRole = .windowApplication, name: String? = nil,
    delegateClass: String? = nil, sceneClass: String? = nil, manifestRevision: String? = nil
  ) {
    storage = Storage(
      role: role, name: name, delegateClass: delegateClass, sceneClass: sceneClass,
      manifestRevision: manifestRevision)
  }

  /// The role.
  public var role: SceneSessionRole { storage.role }

  /// The name of the configuration, or `nil`.
  public var name: String? { storage.name }

  /// The name of the delegate's class, or `nil`.
  public var delegateClass: String? { storage.delegateClass }

  /// The name of the scene's class, or `nil`.
  public var sceneClass: String? { storage.sceneClass }

  /// The revision of the manifest by which the session was configured, or `nil`.
  public var manifestRevision: String? { storage.manifestRevision }

  /// Whether two values share their storage, hence are equal.
  func isIdentical(to other: StoredConfiguration) -> Bool { storage === other.storage }
}

extension StoredConfiguration: Hashable {
  /// Tells whether two configurations are stored alike.
  public static func == (left: Self, right: Self) -> Bool {
    left.isIdentical(to: right)
      || left.role == right.role && left.name == right.name
        && left.delegateClass == right.delegateClass && left.sceneClass == right.sceneClass
        && left.manifestRevision == right.manifestRevision
  }

  /// Hashes the role, the name and the class.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(role)
    hasher.combine(name)
    hasher.combine(delegateClass)
  }
}
