// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// All configurations and roles that an application has met, numbered.
///
/// Sessions keep a number of two bytes, the ledger one of one byte. Two configurations with the
/// same name, role and delegate class are the same; the first one stays.
final class ConfigurationCatalog: Sendable {
  fileprivate struct Key: Hashable {
    let name: String?
    let role: SceneSession.Role
    let delegateClass: String?
    let sceneClass: String?
    let revision: String?

    init(_ configuration: SceneConfiguration) {
      name = configuration.name
      role = configuration.role
      delegateClass = configuration.delegateClass
      sceneClass = configuration.sceneClass
      revision = configuration.revision
    }
  }

  fileprivate struct State: Sendable {
    var configurations: ContiguousArray<SceneConfiguration> = []
    /// Whether a session of an earlier connection can connect with it again (R-CFG-6).
    var isResolvable: [Bool] = []
    var indices: [Key: UInt16] = [:]
    var roles = [SceneSession.Role.windowApplication]
  }

  /// What a new session has before the application delegate chooses.
  struct First: Sendable {
    let index: UInt16
    let initialConditions: SceneConfiguration.InitialConditions?
    let isResolvable: Bool
  }

  let manifest: SceneManifest
  private let state: Apart<Guarded<State>>
  /// What nearly every new session has at first.
  private let window: First?

  init(_ manifest: SceneManifest) {
    self.manifest = manifest
    var state = State()
    for configuration in manifest.configurations {
      _ = try? state.index(of: manifest.resolve(configuration), manifest)
    }
    window = try? state.first(for: .windowApplication, manifest)
    self.state = Apart(guarding: state)
  }

  /// Returns the number of a configuration.
  ///
  /// - Throws: `limitExceeded` beyond 65,535 configurations.
  func index(of configuration: SceneConfiguration) throws(SceneError) -> UInt16 {
    try state.withLock { (state) throws(SceneError) -> UInt16 in
      try state.index(of: configuration, manifest)
    }
  }

  func isResolvable(_ index: UInt16) -> Bool {
    state.withLock { $0.isResolvable[Int(index)] }
  }

  func configuration(_ index: UInt16) -> SceneConfiguration {
    state.withLock { $0.configurations[Int(index)] }
  }

  /// Returns the configuration that a new session of a role has at first (R-CFG-2).
  ///
  /// - Throws: `limitExceeded` beyond 65,535 configurations.
  func first(for role: SceneSession.Role) throws(SceneError) -> First {
    if role == .windowApplication, let window { return window }
    return try state.withLock { (state) throws(SceneError) -> First in
      try state.first(for: role, manifest)
    }
  }

  /// Returns the number of a role.
  ///
  /// - Throws: `limitExceeded` beyond 255 roles.
  func index(of role: SceneSession.Role) throws(SceneError) -> UInt8 {
    // The first one, which nearly every event is for.
    if role == .windowApplication { return 0 }
    return try state.withLock { (state) throws(SceneError) -> UInt8 in
      if let index = state.roles.firstIndex(of: role) { return UInt8(index) }
      guard state.roles.count < Int(UInt8.max) else {
        throw SceneError(.limitExceeded, "an application has at most 255 roles")
      }
      state.roles.append(role)
      return UInt8(state.roles.count - 1)
    }
  }

  func role(_ index: UInt8) -> SceneSession.Role {
    if index == 0 { return .windowApplication }
    return state.withLock { $0.roles[Int(index)] }
  }
}

extension ConfigurationCatalog.State {
  fileprivate mutating func index(
    of configuration: SceneConfiguration, _ manifest: SceneManifest
  ) throws(SceneError) -> UInt16 {
    // The usual case first: one of the manifest's, known by its storage.
    if let first = configurations.first, first.isIdentical(to: configuration) { return 0 }
    let key = ConfigurationCatalog.Key(configuration)
    if let index = indices[key] { return index }
    guard configurations.count < Int(UInt16.max) else {
      throw SceneError(.limitExceeded, "an application has at most 65,535 configurations")
    }
    let index = UInt16(configurations.count)
    configurations.append(configuration)
    isResolvable.append(
      configuration.makeDelegate != nil || manifest.restore(configuration) != nil)
    indices[key] = index
    return index
  }

  fileprivate mutating func first(
    for role: SceneSession.Role, _ manifest: SceneManifest
  ) throws(SceneError) -> ConfigurationCatalog.First {
    let configuration = manifest.resolve(SceneConfiguration(name: nil, sessionRole: role))
    let index = try index(of: configuration, manifest)
    return ConfigurationCatalog.First(
      index: index, initialConditions: configuration.initialConditions,
      isResolvable: isResolvable[Int(index)])
  }
}
