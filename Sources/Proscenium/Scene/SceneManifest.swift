// SPDX-License-Identifier: Apache-2.0

/// The kinds of scenes that an application has, as `UIApplicationSceneManifest` lists them.
///
/// Written as an array of configurations; the first entry of a role is the role's default (section
/// 1.15 of the semantics).
public struct SceneManifest: Sendable, ExpressibleByArrayLiteral {
  /// All configurations, in the order in which they were given.
  public private(set) var configurations: [SceneConfiguration]

  /// Whether the application may have more than one session; `true` unless set.
  public let supportsMultipleScenes: Bool

  /// The activity types that the application declares (`NSUserActivityTypes`), or `nil` if it
  /// declares none: then every type is kept (R-SR-5).
  public var activityTypes: [String]?

  /// What the manifest is called; a session that was configured by another one is configured
  /// again when it next connects, if the application delegate chooses configurations (R-CFG-6).
  public var revision: String?

  private var delegateClasses: [String: SceneConfiguration.DelegateFactory] = [:]

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
    for configuration in configurations {
      guard let name = configuration.delegateClass, let make = configuration.makeDelegate,
        delegateClasses[name] == nil
      else { continue }
      delegateClasses[name] = make
    }
  }

  /// Makes delegates of a class, wherever a configuration names it.
  ///
  /// - Parameters:
  ///   - name: The name by which configurations know the class; the class's own unless given. They
  ///     may put a module before it, as in `Module.Class`.
  ///   - makeDelegate: Makes one delegate; called on the scene's executor, once a connection.
  public mutating func register<Delegate: SceneDelegate & SendableMetatype>(
    _ name: String? = nil, _ makeDelegate: @escaping @Sendable () -> Delegate
  ) {
    delegateClasses[name ?? "\(Delegate.self)"] = makeDelegate
  }

  /// Registers a class whose delegates only the caller knows how to make.
  package mutating func register(
    _ name: String, making makeDelegate: @escaping @Sendable () -> any SceneDelegate
  ) {
    delegateClasses[name] = makeDelegate
  }

  /// Creates a manifest for several scenes from a list of configurations.
  public init(arrayLiteral elements: SceneConfiguration...) {
    self.init(elements)
  }

  /// What an application without a manifest has: one scene, without a delegate (R-LEG-2).
  static let legacy = SceneManifest(
    [SceneConfiguration(name: "Legacy", delegateClass: nil)], supportsMultipleScenes: false)

  var isEmpty: Bool { configurations.isEmpty }

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
    guard named.isReference else { return completed(named) }
    let entry =
      named.name.map { configuration(named: $0, role: named.role) }
      ?? defaultConfiguration(for: named.role)
    return completed(entry.map(named.applied) ?? named)
  }

  /// Finds what a saved configuration means today, or nil if it means nothing any more (R-CFG-6).
  func restore(_ saved: SceneConfiguration) -> SceneConfiguration? {
    if let name = saved.name, let entry = configuration(named: name, role: saved.role) {
      return completed(entry)
    }
    guard let make = saved.delegateClass.flatMap(makeDelegate) else { return nil }
    return saved.completed(by: make, revision: revision)
  }

  /// The manifest with every entry completed.
  var completed: SceneManifest {
    var manifest = self
    manifest.configurations = configurations.map(completed)
    return manifest
  }

  /// Whether nothing is known of what a configuration names: its entry, or its delegate's class
  /// (R-CFG-3).
  func isUnknown(_ configuration: SceneConfiguration) -> Bool {
    guard configuration.makeDelegate == nil else { return false }
    return configuration.delegateClass != nil || restore(configuration) == nil
  }

  /// Adds the way to make delegates of the class that a configuration names.
  private func completed(_ configuration: SceneConfiguration) -> SceneConfiguration {
    let make = configuration.delegateClass.flatMap(makeDelegate)
    return configuration.completed(
      by: configuration.makeDelegate == nil ? make : nil, revision: revision)
  }

  /// The way to make delegates of a class; of `Module.Class` also the one of `Class`.
  private func makeDelegate(of name: String) -> SceneConfiguration.DelegateFactory? {
    if let make = delegateClasses[name] { return make }
    guard let dot = name.lastIndex(of: ".") else { return nil }
    return delegateClasses[String(name[dot...].dropFirst())]
  }
}
