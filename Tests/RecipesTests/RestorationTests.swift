// SPDX-License-Identifier: Apache-2.0

import ProsceniumUIKitTestKit
import Testing
import UIKit

@testable import Recipes

@MainActor struct RestorationTests {
  let device: UIKitDevice

  init() throws {
    device = try UIKitDevice(recipes: true)
  }

  @Test func `what was shown is there again after the process was killed`() async throws {
    try await device.open(.recipe("soup"))
    try await device.home()
    try await device.relaunch()

    #expect(try device.recipe() == "soup")
  }

  @Test func `what was never captured is lost with the process`() async throws {
    try await device.open(.recipe("soup"))
    try await device.relaunch()

    #expect(try device.recipe() == "none")
  }

  @Test func `what the view controller has changed since is captured with it`() async throws {
    try await device.open(.recipe("soup"))
    let delegate: SceneDelegate = try device.delegate()
    delegate.controller.servings = 6
    try await device.home()
    try await device.relaunch()

    let restored: SceneDelegate = try device.delegate()
    #expect(restored.controller.servings == 6)
  }

  @Test func `what the user wants now comes before what was captured`() async throws {
    try await device.open(.recipe("soup"))
    try await device.home()
    await device.kill()
    try await device.deliver(
      .shortcut(UIApplicationShortcutItem(type: "bread", localizedTitle: "Bread")))

    #expect(device.sessions.contains { (try? device.recipe(of: $0)) == "bread" })
  }

  @Test func `a scene that the system disconnects is released and comes back`() async throws {
    try await device.open(.recipe("soup"))
    let session = try #require(device.sessions.first)
    weak let scene = session.scene
    weak let delegate = session.scene?.delegate
    try await device.home()
    try await device.disconnect(session)

    #expect(scene == nil)
    #expect(delegate == nil)
    #expect(session.scene == nil)
    #expect(UIApplication.shared.openSessions == [session])

    try await device.activate(session)
    #expect(device.sessions.first === session)
    #expect(try device.recipe() == "soup")
  }

  @Test func `a device short of memory keeps no scene and loses nothing`() async throws {
    let device = try UIKitDevice(recipes: false)
    try await device.open(.recipe("soup"))
    let session = try #require(device.sessions.first)
    try await device.home()
    #expect(UIApplication.shared.connectedScenes.isEmpty)

    try await device.activate(session)
    #expect(try device.recipe() == "soup")
  }

  @Test func `the program is warned before the system takes its scenes`() async throws {
    let application = try await device.launch()
    try await device.home()
    try await device.relievePressure(count: 1)

    #expect((application.delegate as? AppDelegate)?.warnings == 1)
    #expect(application.connectedScenes.isEmpty)
  }

  @Test func `small settings of a window outlive the process`() async throws {
    try await device.launch()
    device.sessions.first?.userInfo = ["isMetric": true, "columns": 3]
    try await device.home()
    try await device.relaunch()

    let userInfo = device.sessions.first?.userInfo
    #expect(userInfo?["isMetric"] as? Bool == true)
    #expect(userInfo?["columns"] as? Int == 3)
  }

  @Test func `settings that a property list cannot hold are refused`() async throws {
    try await device.launch()
    device.sessions.first?.userInfo = ["columns": 3]
    device.sessions.first?.userInfo = ["page": URL.recipe("soup")]

    await #expect(throws: UIKitDeviceError.self) { try await device.settle() }
    #expect(device.sessions.first?.userInfo?["columns"] as? Int == 3)
  }

  @Test func `while the device is locked a window opens without its state`() async throws {
    try await device.open(.recipe("soup"))
    try await device.home()
    await device.kill()
    try await device.lock()
    try await device.launch()
    #expect(!UIApplication.shared.isProtectedDataAvailable)
    #expect(try device.recipe() == "none")

    try await device.unlock()
    let saved = device.sessions.first?.stateRestorationActivity
    #expect(saved?.userInfo?["recipe"] as? String == "soup")
  }

  @Test func `a restoration that takes time holds the window back`() async throws {
    let device = UIKitDevice(sceneDelegate: PatientDelegate.init)
    try await device.launch(.background)
    UIApplication.shared.requestSceneSessionActivation(nil, userActivity: nil, options: nil)
    try await device.settle()
    let scene = try #require(UIApplication.shared.connectedScenes.first)
    #expect(scene.activationState == .background)

    scene.completeStateRestoration()
    try await device.settle()
    #expect(scene.activationState == .foregroundActive)
  }

  @Test func `a restoration that never ends costs the scene and its state`() async throws {
    let device = UIKitDevice(sceneDelegate: PatientDelegate.init)
    try await device.launch(.background)
    UIApplication.shared.requestSceneSessionActivation(nil, userActivity: nil, options: nil)
    try await device.settle()
    try await device.advance(by: .seconds(11))

    #expect(UIApplication.shared.connectedScenes.isEmpty)
  }
}

/// A delegate that restores something slow.
private final class PatientDelegate: UIResponder, UIWindowSceneDelegate {
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    scene.extendStateRestoration()
  }
}
