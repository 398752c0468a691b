// SPDX-License-Identifier: Apache-2.0

import UIKit

class RecipeViewController: UIViewController {
  private(set) var recipe = "none"
  private(set) var ingredients: [String] = []
  var servings = 2 {
    didSet { userActivity?.needsSave = true }
  }

  /// Shows a recipe, and loads what it needs.
  func show(_ recipe: String, from pantry: Pantry = Pantry()) {
    self.recipe = recipe
    title = recipe
    ingredients = []
    Task { [weak self] in
      let found = await pantry.ingredients(of: recipe)
      self?.ingredients = found
    }
  }

  override func updateUserActivityState(_ activity: NSUserActivity) {
    super.updateUserActivityState(activity)
    activity.addUserInfoEntries(from: ["recipe": recipe, "servings": servings])
  }
}

/// Where recipes come from; slow, as what is behind a network.
actor Pantry {
  func ingredients(of recipe: String) async -> [String] {
    await Task.yield()
    return ["water", recipe]
  }
}
