// SPDX-License-Identifier: Apache-2.0

import ProsceniumUIKitTestKit
import Testing
import UIKit

@testable import Recipes

@MainActor struct RecipesTests {
  @Test func `a recipe is there again after the process was killed`() async throws {
    let device = UIKitDevice(sceneDelegate: SceneDelegate.init)
    let soup = try #require(URL(string: "recipes://soup"))
    try await device.open(soup)
    try await device.home()
    try await device.relaunch()

    let delegate: SceneDelegate = try device.delegate()
    #expect(delegate.controller.recipe == "soup")
  }
}
