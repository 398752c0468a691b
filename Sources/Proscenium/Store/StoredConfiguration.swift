// SPDX-License-Identifier: Apache-2.0

/// What a store remembers of a session's configuration.
public struct StoredConfiguration: Sendable, Hashable {
  /// The role.
  public let role: SceneSession.Role

  /// The name of the configuration, or `nil`.
  public let name: String?

  /// The name of the delegate's class, or `nil`.
  public let delegateClass: String?

  /// The name of the scene's class, or `nil`.
  public let sceneClass: String?

  /// The revision of the manifest by which the session was configured, or `nil`.
  public let manifestRevision: String?

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
    self.role = role
    self.name = name
    self.delegateClass = delegateClass
    self.sceneClass = sceneClass
    self.manifestRevision = manifestRevision
  }
}
