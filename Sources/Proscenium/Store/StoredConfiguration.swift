// SPDX-License-Identifier: Apache-2.0

/// What a store remembers of a session's configuration.
///
/// A value of one word; copies share their storage. A store that gives all sessions of one
/// configuration copies of one value is loaded faster.
public struct StoredConfiguration: Sendable {
  /// The configuration, as far as it is remembered.
  let configuration: SceneConfiguration

  /// What is stored of a configuration.
  init(_ configuration: SceneConfiguration) {
    self.configuration = configuration
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
    role: SceneSession.Role = .windowApplication, name: String? = nil,
    delegateClass: String? = nil, sceneClass: String? = nil, manifestRevision: String? = nil
  ) {
    configuration = SceneConfiguration(
      remembered: name, role: role, delegateClass: delegateClass, sceneClass: sceneClass,
      revision: manifestRevision)
  }

  /// The role.
  public var role: SceneSession.Role { configuration.role }

  /// The name of the configuration, or `nil`.
  public var name: String? { configuration.name }

  /// The name of the delegate's class, or `nil`.
  public var delegateClass: String? { configuration.delegateClass }

  /// The name of the scene's class, or `nil`.
  public var sceneClass: String? { configuration.sceneClass }

  /// The revision of the manifest by which the session was configured, or `nil`.
  public var manifestRevision: String? { configuration.revision }
}

extension StoredConfiguration: Hashable {
  /// Tells whether two configurations are stored alike.
  public static func == (left: Self, right: Self) -> Bool {
    left.configuration.isIdentical(to: right.configuration)
      || left.role == right.role && left.name == right.name
        && left.delegateClass == right.delegateClass && left.sceneClass == right.sceneClass
        && left.manifestRevision == right.manifestRevision
  }

  /// Hashes role, name and delegate class.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(role)
    hasher.combine(name)
    hasher.combine(delegateClass)
  }
}
