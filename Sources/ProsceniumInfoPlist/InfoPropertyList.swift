// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// What an application's Info.plist says about its scenes (semantics#manifest-keys).
///
/// It is what the file says, and nothing is made up: what is absent is `nil`, and what an
/// application never has is kept as an unknown key. All other keys of the file are passed over.
///
/// Limits: a file of 1 MiB, arrays and dictionaries 32 deep within one another, texts and keys of
/// 1,024 UTF-8 bytes, 255 roles, and 1,024 configurations, unknown keys and activity types each.
/// Reading takes time and memory in proportion to the file; for a file in binary form that refers
/// to the same object many times, up to that of 1,000,000 values.
public struct InfoPropertyList: Sendable, Hashable {
  /// The largest size of a file in bytes, 1 MiB.
  public static let byteLimit = 1 << 20

  static let textByteLimit = 1_024
  static let roleLimit = 255
  static let listLimit = 1_024

  /// The scene manifest (`UIApplicationSceneManifest`), or `nil` if the file has none.
  public let manifest: Manifest?

  /// The declared activity types (`NSUserActivityTypes`), or `nil` if the file declares none.
  public let activityTypes: [String]?

  /// The value of `UIApplicationSceneManifest`.
  public struct Manifest: Sendable, Hashable {
    /// Whether there may be several scenes (`UIApplicationSupportsMultipleScenes`); `false` unless
    /// the file says so, as in UIKit.
    public internal(set) var supportsMultipleScenes = false

    /// The roles with their configurations (`UISceneConfigurations`), in the order of the file.
    public internal(set) var roles: [Role] = []

    /// The paths of the keys that have no meaning here, such as
    /// `UIApplicationSceneManifest.UIApplicationSupportsTabbedSceneCollection`, sorted.
    public internal(set) var unknownKeys: [String] = []
  }

  /// A role with its configurations.
  public struct Role: Sendable, Hashable {
    /// The role as the file calls it, such as `UIWindowSceneSessionRoleApplication`.
    public let name: String

    /// The configurations in the order of the file; the first one is the role's default.
    public internal(set) var configurations: [Configuration] = []

    /// The role as the runtime calls it; one that it does not know keeps the file's name.
    public var role: SceneSession.Role {
      switch name {
      case "UIWindowSceneSessionRoleApplication": .windowApplication
      case "UIWindowSceneSessionRoleExternalDisplay": .windowExternalDisplay
      case "UIWindowSceneSessionRoleExternalDisplayNonInteractive":
        .windowExternalDisplayNonInteractive
      default: SceneSession.Role(rawValue: name)
      }
    }
  }

  /// A configuration of a role.
  public struct Configuration: Sendable, Hashable {
    /// The name (`UISceneConfigurationName`), unique among the configurations of its role.
    public internal(set) var name: String?

    /// The name of the delegate's class (`UISceneDelegateClassName`).
    public internal(set) var delegateClass: String?

    /// The name of the scene's class (`UISceneClassName`).
    public internal(set) var sceneClass: String?

    /// The name of the storyboard (`UISceneStoryboardFile`).
    public internal(set) var storyboard: String?
  }

  /// Reads an Info.plist.
  ///
  /// The names of build settings in values, `$(PRODUCT_NAME)` or `${PRODUCT_NAME}`, stay as they
  /// are written unless `variables` has them. The text between the parentheses is the name,
  /// so that `PRODUCT_NAME:c99extidentifier` is a name of its own. Values are put in as they are,
  /// and keys are not changed.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file, in XML (UTF-8) or in binary form.
  ///   - name: The name of the file, for messages.
  ///   - variables: The values of build settings, by name.
  /// - Throws: `ManifestError`: `notAPropertyList` or `damaged` if the file cannot be read,
  ///   `wrongType` if a value that is asked for has another type, `duplicate` if a key or a
  ///   configuration's name is there twice, `limitExceeded` beyond one of the limits.
  public init(
    _ bytes: [UInt8], name: String = "Info.plist", variables: [String: String] = [:]
  ) throws(ManifestError) {
    let file = PropertyListFile(bytes: bytes, name: name)
    guard bytes.count <= Self.byteLimit else {
      throw file.failure(
        .limitExceeded, "at most \(Self.byteLimit) bytes", found: "\(bytes.count)")
    }
    let root = try ManifestNode(file, BuildSettings(variables))
    activityTypes = try root.member("NSUserActivityTypes")?.elements().map {
      element throws(ManifestError) in try element.text()
    }
    manifest = try root.member("UIApplicationSceneManifest").map(Manifest.init)
  }
}

extension SceneManifest {
  /// Creates the manifest that an Info.plist describes (semantics#manifest-keys).
  ///
  /// What the file leaves open is as in UIKit: there is one scene at most, and a scene has the
  /// default class. A configuration without a name has the empty name. A file without a scene
  /// manifest gives one without configurations.
  ///
  /// A class that is not registered is no error: scenes of its configurations connect without a
  /// delegate, and that is logged (R-CFG-3).
  ///
  /// - Parameters:
  ///   - properties: What the file says.
  ///   - delegates: The functions that make delegates, by the name of their class. Where a file
  ///     says `Module.Class`, `Class` is found too; more can be registered later.
  public init(
    _ properties: InfoPropertyList, delegates: [String: @Sendable () -> any SceneDelegate] = [:]
  ) {
    let configurations = (properties.manifest?.roles ?? []).flatMap { role in
      role.configurations.map { configuration in
        SceneConfiguration(
          name: configuration.name ?? "", role: role.role,
          delegateClass: configuration.delegateClass,
          sceneClass: configuration.sceneClass ?? SceneConfiguration.defaultSceneClass)
      }
    }
    self.init(
      configurations,
      supportsMultipleScenes: properties.manifest?.supportsMultipleScenes ?? false)
    activityTypes = properties.activityTypes
    for (name, makeDelegate) in delegates { register(name, making: makeDelegate) }
  }
}

extension InfoPropertyList.Manifest {
  /// Reads the value of `UIApplicationSceneManifest`.
  init(_ node: ManifestNode) throws(ManifestError) {
    var unknown: [ManifestNode] = []
    for (key, value) in try node.members() {
      switch key {
      case "UIApplicationSupportsMultipleScenes": supportsMultipleScenes = try value.boolean()
      case "UISceneConfigurations":
        let members = try value.members()
        try value.check(members.count, atMost: InfoPropertyList.roleLimit, "roles")
        var count = 0
        for (name, list) in members {
          let role = try InfoPropertyList.Role(name, list, &unknown)
          count += role.configurations.count
          try list.check(count, atMost: InfoPropertyList.listLimit, "configurations in all")
          roles.append(role)
        }
      default: try unknown.note(value)
      }
    }
    unknownKeys = unknown.map(\.keyPath).sorted()
  }
}

extension InfoPropertyList.Role {
  fileprivate init(
    _ name: String, _ list: ManifestNode, _ unknown: inout [ManifestNode]
  ) throws(ManifestError) {
    self.name = name
    var names: Set<String> = []
    for element in try list.elements() {
      let configuration = try InfoPropertyList.Configuration(element, &unknown)
      if let name = configuration.name, !names.insert(name).inserted {
        let node = try element.member(InfoPropertyList.Configuration.nameKey) ?? element
        throw node.failure(
          .duplicate, "a name that no other configuration of the role has",
          found: "\(name.debugDescription) again")
      }
      configurations.append(configuration)
    }
  }
}

extension InfoPropertyList.Configuration {
  fileprivate static let nameKey = "UISceneConfigurationName"

  fileprivate init(
    _ node: ManifestNode, _ unknown: inout [ManifestNode]
  ) throws(ManifestError) {
    for (key, value) in try node.members() {
      switch key {
      case Self.nameKey: name = try value.text()
      case "UISceneDelegateClassName": delegateClass = try value.text()
      case "UISceneClassName": sceneClass = try value.text()
      case "UISceneStoryboardFile": storyboard = try value.text()
      default: try unknown.note(value)
      }
    }
  }
}

extension [ManifestNode] {
  /// Notes the value of a key that has no meaning here.
  fileprivate mutating func note(_ value: ManifestNode) throws(ManifestError) {
    append(value)
    try value.check(count, atMost: InfoPropertyList.listLimit, "keys without a meaning in all")
  }
}
