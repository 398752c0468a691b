// SPDX-License-Identifier: Apache-2.0

import ProsceniumUIKitTestKit
import Testing
import UIKit

@testable import Recipes

@MainActor struct EventTests {
  let device: UIKitDevice

  init() throws {
    device = try UIKitDevice(recipes: true)
  }

  /// Counts what is posted.
  @MainActor
  private final class Count {
    var value = 0
  }

  @Test func `what takes time is awaited by the test`() async throws {
    try await device.open(.recipe("soup"))
    let delegate: SceneDelegate = try device.delegate()
    try await device.wait { !delegate.controller.ingredients.isEmpty }

    #expect(delegate.controller.ingredients == ["water", "soup"])
  }

  @Test func `an activity of another device is announced, then shown`() async throws {
    try await device.launch()
    try await device.deliver(.handoff(activityType: SceneDelegate.activityType))
    let delegate: SceneDelegate = try device.delegate()
    #expect(delegate.isWaitingForOtherDevice)

    let activity = NSUserActivity(activityType: SceneDelegate.activityType)
    activity.userInfo = ["recipe": "soup"]
    try await device.continueHandoff(with: activity)
    #expect(!delegate.isWaitingForOtherDevice)
    #expect(delegate.controller.recipe == "soup")
  }

  @Test func `an activity of another device may never arrive`() async throws {
    try await device.deliver(.handoff(activityType: SceneDelegate.activityType))
    let delegate: SceneDelegate = try device.delegate()
    #expect(delegate.isWaitingForOtherDevice)

    try await device.failHandoff(SceneDelegate.activityType, error: UISceneError(.requestDenied))
    #expect(!delegate.isWaitingForOtherDevice)
    #expect(delegate.failure != nil)
  }

  @Test func `a call interrupts the cooking, and does not end it`() async throws {
    try await device.launch()
    let session = try #require(device.sessions.first)
    let delegate: SceneDelegate = try device.delegate()
    try await device.interrupt(session)
    #expect(!delegate.isCooking)
    #expect(session.scene?.activationState == .foregroundInactive)

    try await device.resume(session)
    #expect(delegate.isCooking)
  }

  @Test func `notifications have the scene as their object`() async throws {
    try await device.launch()
    let scene = try #require(device.sessions.first?.scene)
    let count = Count()
    let token = NotificationCenter.default.addObserver(
      forName: UIScene.didEnterBackgroundNotification, object: scene, queue: nil
    ) { _ in MainActor.assumeIsolated { count.value += 1 } }
    defer { NotificationCenter.default.removeObserver(token) }
    _ = try await device.newWindow()
    try await device.home()

    #expect(count.value == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `an observer on the main queue is told at once`() async throws {
    try await device.launch(.background)
    let count = Count()
    let token = NotificationCenter.default.addObserver(
      forName: UIScene.didActivateNotification, object: nil, queue: .main
    ) { _ in MainActor.assumeIsolated { count.value += 1 } }
    defer { NotificationCenter.default.removeObserver(token) }
    _ = try await device.newWindow()

    #expect(count.value == 1)
  }

  @Test func `what a quick action needs reaches the window, cold and warm`() async throws {
    let device = UIKitDevice(sceneDelegate: ActionReader.init)
    let page: [String: NSObject & NSSecureCoding] = [
      "name": NSString(string: "soup"), "servings": NSNumber(value: 4),
    ]
    let item = UIApplicationShortcutItem(
      type: "read", localizedTitle: "Read", localizedSubtitle: "Soup", icon: nil, userInfo: page)
    for _ in 0..<2 { try await device.deliver(.shortcut(item)) }

    let reader: ActionReader = try device.delegate()
    #expect(reader.read.map { $0.userInfo?["name"] as? String } == ["soup", "soup"])
    #expect(reader.read.map { $0.userInfo?["servings"] as? Int } == [4, 4])
  }

  @Test func `going from one window to another is no end of the program's activity`() async throws {
    try await device.launch()
    let first = try #require(device.sessions.first)
    let count = Count()
    let token = NotificationCenter.default.addObserver(
      forName: UIApplication.willResignActiveNotification, object: nil, queue: nil
    ) { _ in MainActor.assumeIsolated { count.value += 1 } }
    defer { NotificationCenter.default.removeObserver(token) }
    _ = try await device.newWindow()
    try await device.background(first)
    #expect(count.value == 0)

    try await device.home()
    #expect(count.value == 1)
  }

  @Test func `the program hands a URL to the device`() async throws {
    try await device.launch()
    var opened: [URL] = []
    device.opensURL = {
      opened.append($0)
      return true
    }
    let answer = Count()
    device.sessions.first?.scene?.open(.recipe("other"), options: nil) { isOpened in
      answer.value = isOpened ? 1 : 2
    }
    try await device.settle()

    #expect(opened == [.recipe("other")])
    #expect(answer.value == 1)
  }

  @Test func `an answer to a notification reaches the window that is open`() async throws {
    let center = NotificationReader()
    try await device.open(.recipe("soup"))
    UNUserNotificationCenter.current().delegate = center
    try await device.deliver(.notification("n1", targetContentIdentifier: "recipes://soup"))

    #expect(center.read.map(\.notification.request.identifier) == ["n1"])
    #expect(center.read.first?.targetScene === device.sessions.first?.scene)
  }

  @Test func `in the end every scene is disconnected before the program is told`() async throws {
    try await device.launch()
    _ = device.takeTimeline()
    try await device.home()
    try await device.terminate()

    let difference = device.takeTimeline().difference(
      from: """
        S1#1.willResignActive
        S1#1.didEnterBackground
        S1#1.stateRestorationActivity -> nil
        S1#1.didDisconnect
        app.willTerminate
        process.exit
        """)
    #expect(difference == nil)
    #expect(device.keptSessions.count == 1)
  }

  @Test func `an accepted share that the program does not know is reported`() async throws {
    try await device.launch()
    _ = device.takeTimeline()
    try await device.deliver(.share("family"))

    #expect(device.takeTimeline().lines.contains("S1.log(unhandledEvent)"))
  }

  @Test func `a predicate of a wrong format is reported where it is used`() async throws {
    try await device.launch()
    let conditions = device.sessions.first?.scene?.activationConditions
    conditions?.canActivateForTargetContentIdentifierPredicate = NSPredicate(
      format: "SELF BEGINWITH %@", "recipes:")

    await #expect(throws: UIKitDeviceError.self) { try await device.settle() }
  }
}

/// Keeps quick actions.
private final class ActionReader: UIResponder, UIWindowSceneDelegate {
  var read: [UIApplicationShortcutItem] = []

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    if let item = connectionOptions.shortcutItem { read.append(item) }
  }

  func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    read.append(shortcutItem)
    completionHandler(true)
  }
}

/// Reads the user's answers.
@MainActor
private final class NotificationReader: NSObject, UNUserNotificationCenterDelegate {
  var read: [UNNotificationResponse] = []

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    read.append(response)
    completionHandler()
  }
}
