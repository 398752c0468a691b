// SPDX-License-Identifier: Apache-2.0

import ProsceniumUIKitTestKit
import UIKit

@testable import Recipes

extension UIKitDevice {
  /// A device with the program on it, as its Info.plist describes it.
  convenience init(recipes keepsScenes: Bool = true) throws {
    let infoPlist = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Docs/Examples/Recipes/Info.plist")
    self.init(
      scenes: try UIKitScenes(
        infoPlist: infoPlist, variables: ["PRODUCT_MODULE_NAME": "Recipes"]),
      applicationDelegate: AppDelegate.init,
      sceneDelegates: [
        UIKitSceneDelegate(SceneDelegate.init), UIKitSceneDelegate(WallSceneDelegate.init),
      ],
      keepsScenes: keepsScenes)
  }

  /// What the only window shows.
  func recipe() throws -> String {
    try delegate(as: SceneDelegate.self).controller.recipe
  }

  /// What a window shows.
  func recipe(of session: UISceneSession) throws -> String {
    try delegate(of: session, as: SceneDelegate.self).controller.recipe
  }
}

extension URL {
  /// The URL of a recipe.
  static func recipe(_ name: String) -> URL {
    var parts = URLComponents()
    parts.scheme = "recipes"
    parts.host = name
    return parts.url ?? URL(filePath: name)
  }
}
