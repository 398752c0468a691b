// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium
public import ProsceniumInfoPlist
public import ProsceniumUIKit

/// A class of scene delegates, and how one is made.
@MainActor
public struct UIKitSceneDelegate {
  /// The name of the class, without its module.
  public let name: String

  let program: UIKitProgram.DelegateClass

  /// Names a class by how one of it is made: `UIKitSceneDelegate(SceneDelegate.init)`.
  public init<Delegate: UISceneDelegate>(_ make: @escaping @MainActor () -> Delegate) {
    name = "\(Delegate.self)"
    program = UIKitProgram.DelegateClass(type: Delegate.self) { make() }
  }
}

/// The scenes of a program, as its Info.plist has them.
public struct UIKitScenes: Sendable {
  /// A configuration.
  public struct Configuration: Sendable {
    /// The name.
    public var name: String

    /// The role of its sessions.
    public var role: UISceneSession.Role

    /// The name of the class of its delegates; nil is the device's first class, and an empty name
    /// is none.
    public var delegateClass: String?

    /// The name of the storyboard that its windows show at first.
    public var storyboard: String?

    /// Makes a configuration.
    public init(
      _ name: String = "Default Configuration", role: UISceneSession.Role = .windowApplication,
      delegateClass: String? = nil, storyboard: String? = nil
    ) {
      self.name = name
      self.role = role
      self.delegateClass = delegateClass
      self.storyboard = storyboard
    }
  }

  /// The configurations; the first one of a role is its default.
  public var configurations: [Configuration]

  /// Whether there may be more than one session.
  public var supportsMultipleScenes: Bool

  /// The declared activity types, or nil if there are none declared: then all are kept (R-SR-5).
  public var activityTypes: [String]?

  /// Makes the scenes of a program.
  ///
  /// - Parameters:
  ///   - configurations: The configurations.
  ///   - supportsMultipleScenes: Whether there may be more than one session.
  ///   - activityTypes: The declared activity types.
  public init(
    _ configurations: [Configuration] = [Configuration()], supportsMultipleScenes: Bool = true,
    activityTypes: [String]? = nil
  ) {
    self.configurations = configurations
    self.supportsMultipleScenes = supportsMultipleScenes
    self.activityTypes = activityTypes
  }

  /// Reads them from the program's Info.plist.
  ///
  /// - Parameters:
  ///   - infoPlist: The file.
  ///   - variables: The values of build settings that the file names, such as
  ///     `PRODUCT_MODULE_NAME`; of a class the part after the last point counts.
  /// - Throws: The error of reading the file; `ManifestError` with the place of what is wrong in
  ///   it.
  public init(infoPlist: URL, variables: [String: String] = [:]) throws {
    let bytes = try [UInt8](Data(contentsOf: infoPlist))
    self.init(
      try InfoPropertyList(bytes, name: infoPlist.lastPathComponent, variables: variables))
  }

  /// Takes them from an Info.plist that was read.
  public init(_ properties: InfoPropertyList) {
    configurations = (properties.manifest?.roles ?? []).flatMap { role in
      role.configurations.map { configuration in
        Configuration(
          configuration.name ?? "", role: UISceneSession.Role(role.role),
          delegateClass: configuration.delegateClass ?? "", storyboard: configuration.storyboard)
      }
    }
    supportsMultipleScenes = properties.manifest?.supportsMultipleScenes ?? false
    activityTypes = properties.activityTypes
  }

  func manifest(defaultClass: String?) -> SceneManifest {
    var manifest = SceneManifest(
      configurations.map { configuration in
        SceneConfiguration(
          name: configuration.name, role: configuration.role.value,
          delegateClass: configuration.className(defaultClass))
      }, supportsMultipleScenes: supportsMultipleScenes)
    manifest.activityTypes = activityTypes
    return manifest
  }

  func entries(defaultClass: String?) -> [UIKitProgram.Entry] {
    configurations.map { configuration in
      UIKitProgram.Entry(
        name: configuration.name, role: configuration.role,
        delegateClassName: configuration.className(defaultClass),
        storyboardName: configuration.storyboard)
    }
  }
}

extension UIKitScenes.Configuration {
  /// An Info.plist without a class has none; a configuration made here has the device's first one.
  fileprivate func className(_ defaultClass: String?) -> String? {
    guard let delegateClass else { return defaultClass }
    return delegateClass.isEmpty ? nil : delegateClass
  }
}
