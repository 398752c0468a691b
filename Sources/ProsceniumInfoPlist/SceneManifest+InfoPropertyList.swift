// SPDX-License-Identifier: Apache-2.0

public import Proscenium

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
