// SPDX-License-Identifier: Apache-2.0

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
