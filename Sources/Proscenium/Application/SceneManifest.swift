// SPDX-License-Identifier: Apache-2.0

/// The kinds of scenes that an application has, as `UIApplicationSceneManifest` lists them.
///
/// Written as an array of configurations; the first entry of a role is the role's default (section
/// 1.15 of the semantics).
public struct SceneManifest: Sendable, ExpressibleByArrayLiteral {
  /// All configurations, in the order in which they were given.
  public let configurations: [SceneConfiguration]

  /// Whether the application may have more than one session; `true` unless set.
  public let supportsMultipleScenes: Bool

  /// Creates a manifest.
  ///
  /// Of two configurations with the same name and role the first one counts.
  ///
  /// - Parameters:
  ///   - configurations: The configurations; the first one of a role is its default.
  ///   - supportsMultipleScenes: Whether there may be more than one session.
  public init(_ configurations: [SceneConfiguration], supportsMultipleScenes: Bool = true) {
    self.configurations = configurations
    self.supportsMultipleScenes = supportsMultipleScenes
  }

  /// Creates a manifest for several scenes from a list of configurations.
  public init(arrayLiteral elements: SceneConfiguration...) {
    self.init(elements)
  }

  /// Returns the first configuration of a role.
  public func defaultConfiguration(for role: SceneSession.Role) -> SceneConfiguration? {
    configurations.first { $0.role == role }
  }

  /// Returns the configuration with a name and a role.
  public func configuration(
    named name: String, role: SceneSession.Role
  ) -> SceneConfiguration? {
    configurations.first { $0.name == name && $0.role == role }
  }

  /// Completes a configuration that names an entry (R-CFG-2, R-CFG-3).
  ///
  /// Without a name it is the first entry of the role; an unknown name stays as it is, with no
  /// delegate, which is what UIKit does.
  func resolve(_ named: SceneConfiguration) -> SceneConfiguration {
    if named.makeDelegate != nil { return named }
    guard let name = named.name else { return defaultConfiguration(for: named.role) ?? named }
    return configuration(named: name, role: named.role) ?? named
  }
}
