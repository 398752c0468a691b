// SPDX-License-Identifier: Apache-2.0

import ProsceniumUIKitTestKit
import Testing
import UIKit

@testable import Recipes

@MainActor struct WindowTests {
  let device: UIKitDevice

  init() throws {
    device = try UIKitDevice(recipes: true)
  }

  /// Opens two windows with a recipe each.
  private func openTwoWindows() async throws -> (soup: UISceneSession, bread: UISceneSession) {
    try await device.open(.recipe("soup"))
    let bread = try await device.newWindow()
    let delegate: SceneDelegate = try device.delegate(of: bread)
    delegate.show("bread", in: try #require(bread.scene))
    try await device.settle()
    return (try #require(device.sessions.first { $0 !== bread }), bread)
  }

  @Test func `two windows keep what each of them shows`() async throws {
    let (soup, bread) = try await openTwoWindows()
    #expect(try device.recipe(of: soup) == "soup")
    #expect(try device.recipe(of: bread) == "bread")

    try await device.home()
    try await device.relaunch(.connectAll)
    let recipes = try device.sessions.map { try device.recipe(of: $0) }
    #expect(recipes.sorted() == ["bread", "soup"])
  }

  @Test func `a link goes to the window that shows its recipe`() async throws {
    let (soup, bread) = try await openTwoWindows()
    #expect(try await device.open(.recipe("soup")) === soup)
    #expect(try await device.open(.recipe("bread")) === bread)
  }

  @Test func `a link to what no window shows opens another one`() async throws {
    _ = try await openTwoWindows()
    let session = try await device.open(.recipe("cake"))

    #expect(device.sessions.count == 3)
    #expect(try device.recipe(of: session) == "cake")
  }

  @Test func `a link finds its window in a program that does not run`() async throws {
    _ = try await openTwoWindows()
    try await device.home()
    await device.kill()
    try await device.open(.recipe("soup"))

    #expect(try device.recipe() == "soup")
    #expect(device.sessions.count == 2)
  }

  @Test func `the program opens a window with an activity`() async throws {
    try await device.open(.recipe("soup"))
    let activity = NSUserActivity(activityType: SceneDelegate.activityType)
    activity.userInfo = ["recipe": "cake", "servings": 4]
    let options = UIScene.ActivationRequestOptions()
    options.requestingScene = device.sessions.first?.scene
    UIApplication.shared.requestSceneSessionActivation(
      nil, userActivity: activity, options: options)
    try await device.settle()

    let cake = try #require(device.sessions.first { (try? device.recipe(of: $0)) == "cake" })
    let delegate: SceneDelegate = try device.delegate(of: cake)
    #expect(delegate.controller.servings == 4)
  }

  @Test func `a request by content uses the window that prefers it`() async throws {
    let (soup, _) = try await openTwoWindows()
    let activity = NSUserActivity(activityType: SceneDelegate.activityType)
    activity.targetContentIdentifier = "recipes://soup"
    activity.userInfo = ["recipe": "soup", "servings": 9]
    UIApplication.shared.activateSceneSession(
      for: UISceneSessionActivationRequest(userActivity: activity))
    try await device.settle()

    #expect(device.sessions.count == 2)
    let delegate: SceneDelegate = try device.delegate(of: soup)
    #expect(delegate.controller.servings == 9)
  }

  @Test func `what is dragged to the edge of the screen opens a window`() async throws {
    try await device.open(.recipe("soup"))
    let activity = NSUserActivity(activityType: SceneDelegate.activityType)
    activity.userInfo = ["recipe": "bread"]
    let dropped = try await device.drop(activity)
    let undeclared = try await device.drop(NSUserActivity(activityType: "recipes.other"))

    #expect(try device.recipe(of: try #require(dropped)) == "bread")
    #expect(undeclared == nil)
  }

  @Test func `a window that is closed takes its draft with it`() async throws {
    let (soup, bread) = try await openTwoWindows()
    for session in [soup, bread] { Drafts.shared[session.persistentIdentifier] = "salt" }
    try await device.close(bread)

    #expect(Drafts.shared[bread.persistentIdentifier] == nil)
    #expect(Drafts.shared[soup.persistentIdentifier] == "salt")
    #expect(UIApplication.shared.openSessions == [soup])
  }

  @Test func `a window that is closed while the program is dead is reported next time`()
    async throws
  {
    let (_, bread) = try await openTwoWindows()
    try await device.home()
    await device.kill()
    try await device.close(bread)
    let application = try await device.launch()

    let delegate = try #require(application.delegate as? AppDelegate)
    #expect(delegate.discarded == [bread.persistentIdentifier])
    #expect(device.sessions.count == 1)
  }

  @Test func `the program closes a window, and is refused for one that is gone`() async throws {
    let (_, bread) = try await openTwoWindows()
    let options = UIWindowSceneDestructionRequestOptions()
    options.windowDismissalAnimation = .commit
    UIApplication.shared.requestSceneSessionDestruction(bread, options: options)
    try await device.settle()
    #expect(device.sessions.count == 1)

    var refusal: (any Error)?
    UIApplication.shared.requestSceneSessionDestruction(bread, options: nil) { refusal = $0 }
    #expect(refusal == nil)
    try await device.settle()
    #expect((refusal as? UISceneError)?.code == .requestDenied)
  }

  @Test func `a refresh captures what a window in the background shows now`() async throws {
    let (soup, _) = try await openTwoWindows()
    try await device.home()
    let delegate: SceneDelegate = try device.delegate(of: soup)
    delegate.show("stew", in: try #require(soup.scene))
    UIApplication.shared.requestSceneSessionRefresh(soup)
    try await device.refresh()
    try await device.relaunch(.connectAll)

    let recipes = try device.sessions.map { try device.recipe(of: $0) }
    #expect(recipes.sorted() == ["bread", "stew"])
  }

  @Test func `a display on the wall has a delegate of its own, and is never active`() async throws {
    try await device.launch()
    let wall = try await device.newWindow(.windowExternalDisplayNonInteractive)

    let delegate: WallSceneDelegate = try device.delegate(of: wall)
    #expect(delegate.isSeen)
    #expect(!delegate.wasActive)
    #expect(wall.scene?.activationState == .foregroundInactive)
  }
}
