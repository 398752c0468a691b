// SPDX-License-Identifier: Apache-2.0

import ProsceniumUIKitTestKit
import Testing
import UIKit

@testable import Recipes

@MainActor struct LaunchTests {
  let device: UIKitDevice

  init() throws {
    device = try UIKitDevice(recipes: true)
  }

  @Test func `a URL launches the program and is shown`() async throws {
    try await device.open(.recipe("soup"))

    #expect(try device.recipe() == "soup")
    #expect(UIApplication.shared.applicationState == .active)
  }

  @Test func `a URL is shown by the window that is open`() async throws {
    try await device.launch()
    let session = try await device.open(.recipe("soup"))

    #expect(try device.recipe() == "soup")
    #expect(session === device.sessions.first)
    #expect(device.sessions.count == 1)
  }

  @Test(arguments: [true, false])
  func `a link of a browser is shown, cold and warm`(isCold: Bool) async throws {
    if !isCold { try await device.launch() }
    let link = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
    link.webpageURL = URL(string: "https://recipes.example/soup")
    try await device.deliver(.userActivity(link))

    #expect(try device.recipe() == "soup")
  }

  @Test func `a quick action launches the program`() async throws {
    try await device.deliver(
      .shortcut(UIApplicationShortcutItem(type: "bread", localizedTitle: "Bread")))

    #expect(try device.recipe() == "bread")
  }

  @Test func `a quick action reaches the window that is open, and is answered`() async throws {
    try await device.launch()
    try await device.deliver(
      .shortcut(UIApplicationShortcutItem(type: "bread", localizedTitle: "Bread")))

    #expect(try device.recipe() == "bread")
    #expect(device.sessions.count == 1)
  }

  @Test func `a notification launches the program`() async throws {
    try await device.deliver(.notification("cake"))

    #expect(try device.recipe() == "cake")
  }

  @Test func `the program is told that it was launched before a window opens`() async throws {
    let application = try await device.launch()

    let delegate = try #require(application.delegate as? AppDelegate)
    #expect(delegate.isReady)
    #expect(delegate.askedFor == [.windowApplication])
    let difference = device.takeTimeline().difference(
      from: """
        process.launch(icon)
        app.willFinishLaunching
        app.didFinishLaunching
        app.configurationForConnecting(S1, {})
        S1#1.willConnect({})
        S1#1.willEnterForeground
        S1#1.didBecomeActive
        """)
    #expect(difference == nil)
  }

  @Test func `the kind of a window is chosen once in its life`() async throws {
    try await device.launch()
    try await device.home()
    let application = try await device.relaunch()

    #expect((application.delegate as? AppDelegate)?.askedFor == [])
    #expect(device.sessions.first?.configuration.delegateClass == SceneDelegate.self)
  }

  @Test func `the storyboard's window is there when the scene connects`() async throws {
    let scenes = UIKitScenes([UIKitScenes.Configuration(storyboard: "Main")])
    let device = UIKitDevice(scenes: scenes, sceneDelegate: StoryboardDelegate.init)
    device.setController(ofStoryboard: "Main") { RecipeViewController() }
    try await device.launch()

    let delegate: StoryboardDelegate = try device.delegate()
    #expect(delegate.hadWindow)
    #expect(delegate.window?.isKeyWindow == true)
    #expect(delegate.window?.rootViewController is RecipeViewController)
  }

  @Test func `a storyboard makes what the test says, else one of the class asked for`()
    async throws
  {
    let device = UIKitDevice(sceneDelegate: Shapes.StoryboardDelegate.init)
    let registered = Shapes.Page(kind: "registered")
    device.setController(ofStoryboard: "Main", identifier: "registered") { registered }
    try await device.launch()

    let delegate: Shapes.StoryboardDelegate = try device.delegate()
    #expect(delegate.window?.rootViewController === registered)
    #expect(delegate.pages.map(\.kind) == ["registered", "coder", "creator", "coder"])
    #expect(delegate.pages.allSatisfy { $0.storyboard != nil })
  }

  @Test func `a controller of a storyboard that has another class than asked for is a fault`()
    async throws
  {
    let device = UIKitDevice(sceneDelegate: Shapes.StoryboardDelegate.init)
    device.setController(ofStoryboard: "Main", identifier: "plain") { UIViewController() }

    let error = await #expect(throws: UIKitDeviceError.self) { try await device.launch() }
    #expect(error?.code == .fault)
    #expect(error?.message.contains("expected a Page, found a UIViewController") == true)
  }

  @Test func `a program without several windows opens no second one`() async throws {
    let device = UIKitDevice(
      scenes: UIKitScenes(supportsMultipleScenes: false), sceneDelegate: SceneDelegate.init)
    try await device.launch()
    var refusal: (any Error)?
    UIApplication.shared.requestSceneSessionActivation(
      nil, userActivity: nil, options: nil, errorHandler: { refusal = $0 })
    try await device.settle()

    #expect((refusal as? UISceneError)?.code == .multipleScenesNotSupported)
    #expect(!UIApplication.shared.supportsMultipleScenes)
    #expect(device.sessions.count == 1)
  }
}

/// A delegate that finds its window set.
private final class StoryboardDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  var hadWindow = false

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    hadWindow = window?.rootViewController != nil
  }
}
