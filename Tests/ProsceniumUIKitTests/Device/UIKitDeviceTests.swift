// SPDX-License-Identifier: Apache-2.0

import ProsceniumUIKit
import Testing

@testable import ProsceniumUIKitTestKit

@MainActor struct UIKitDeviceTests {
  /// A delegate that notes what it is told, and what `UIApplication.shared` was then.
  final class NotingDelegate: UIResponder, UIWindowSceneDelegate {
    var seen: [UIApplication] = []
    var children: [NSUserActivity] = []

    func sceneDidBecomeActive(_ scene: UIScene) {
      seen.append(UIApplication.shared)
      scene.userActivity = NSUserActivity(activityType: "n.show")
      scene.userActivity?.userInfo = ["kept": true]
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { scene.userActivity }

    func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {
      children.append(userActivity)
    }
  }

  private let device = UIKitDevice(sceneDelegate: NotingDelegate.init)

  @Test(arguments: 1...8)
  func `devices of tests that run in parallel do not mix`(number: Int) async throws {
    let application = try await device.launch()
    for _ in 0..<3 { _ = try await device.newWindow() }
    await Task.yield()

    #expect(UIApplication.shared === application)
    for session in device.sessions {
      let delegate: NotingDelegate = try device.delegate(of: session)
      #expect(delegate.seen.allSatisfy { $0 === application })
    }
    #expect(application.connectedScenes.count == 4)
  }

  @Test func `a second device in the same test is refused while the first one runs`() async throws {
    try await device.launch()
    let other = UIKitDevice(sceneDelegate: NotingDelegate.init)
    let error = await #expect(throws: UIKitDeviceError.self) { try await other.launch() }
    #expect(error?.code == .otherDevice)

    await device.kill()
    try await other.launch()
    #expect(other.isRunning)
  }

  @Test func `a launch that waits for its turn ends when it is cancelled`() async throws {
    try await device.launch()
    let other = UIKitDevice(sceneDelegate: NotingDelegate.init)
    let waiting = DeviceTurn.shared.waitingCount
    let launch = Task { try await other.launch() }
    while DeviceTurn.shared.waitingCount == waiting { await Task.yield() }
    launch.cancel()
    await #expect(throws: CancellationError.self) { try await launch.value }
    #expect(device.isRunning)
    #expect(!other.isRunning)

    await device.kill()
    try await other.launch()
    #expect(other.isRunning)
  }

  @Test func `a process ends with its device`() async throws {
    weak var application: UIApplication?
    do {
      let device = UIKitDevice(sceneDelegate: NotingDelegate.init)
      application = try await device.launch()
      #expect(application != nil)
    }
    let next = try await device.launch()
    #expect(application == nil)
    #expect(UIApplication.shared === next)
  }

  @Test func `after a kill the objects of the process are released`() async throws {
    weak let application = try await device.launch()
    weak let scene = application?.connectedScenes.first
    #expect(scene != nil)
    await device.kill()

    #expect(scene == nil)
    #expect(application == nil)
    #expect(device.sessions.isEmpty)
    #expect(device.keptSessions.count == 1)
  }

  @Test func `an activity that need not be saved is captured as it is`() async throws {
    try await device.launch()
    try await device.home()

    let delegate: NotingDelegate = try device.delegate()
    #expect(delegate.children.first?.userInfo?["kept"] as? Bool == true)
  }

  @Test func `an activity that needs to be saved is emptied for its responders`() async throws {
    try await device.launch()
    device.sessions.first?.scene?.userActivity?.needsSave = true
    try await device.home()

    let delegate: NotingDelegate = try device.delegate()
    #expect(delegate.children.first?.userInfo?.isEmpty == true)
    #expect(delegate.children.first?.needsSave == false)
  }

  @Test func `a condition that never holds ends the wait`() async throws {
    let error = await #expect(throws: UIKitDeviceError.self) {
      try await device.wait(within: .milliseconds(1)) { false }
    }
    #expect(error?.code == .neverHeld)
  }

  @Test func `a delegate of another class is named`() async throws {
    try await device.launch()
    let error = #expect(throws: UIKitDeviceError.self) {
      let _: UIViewController = try device.delegate()
    }
    #expect(error?.code == .otherDelegate)
    #expect(error?.message.contains("NotingDelegate") == true)

    let missing = #expect(throws: UIKitDeviceError.self) {
      let other = UIKitDevice(sceneDelegate: NotingDelegate.init)
      let _: NotingDelegate = try other.delegate()
    }
    #expect(missing?.code == .noScene)
  }

  @Test func `a call that means nothing here is said once`() async throws {
    let application = try await device.launch()
    application.registerForRemoteNotifications()
    application.registerForRemoteNotifications()

    let said = UIKitDevice.notices.filter { $0.contains("registerForRemoteNotifications()") }
    #expect(said.count == 1)
  }

  /// A class that adopts the protocol, with one of its methods.
  class BaseDelegate: UIResponder, UIWindowSceneDelegate {
    var told = 0

    func sceneDidBecomeActive(_ scene: UIScene) { told += 1 }
  }

  /// A class that overrides a method, and adds one.
  final class DerivedDelegate: BaseDelegate {
    override func sceneDidBecomeActive(_ scene: UIScene) { told += 10 }

    func sceneWillResignActive(_ scene: UIScene) { told += 100 }
  }

  @Test func `a method that a subclass overrides is called, one that it adds is not`() async throws
  {
    let device = UIKitDevice(sceneDelegate: DerivedDelegate.init)
    try await device.launch()
    try await device.home()

    let delegate: DerivedDelegate = try device.delegate()
    #expect(delegate.told == 10)
  }

  @Test func `a session without a scene can be changed, and keeps what was set`() async throws {
    try await device.launch()
    let session = try #require(device.sessions.first)
    try await device.home()
    try await device.disconnect(session)
    let activity = NSUserActivity(activityType: "n.show")
    activity.title = "set"
    session.stateRestorationActivity = activity
    session.userInfo = ["n": 1]
    #expect(session.stateRestorationActivity?.title == "set")
    #expect(session.userInfo?["n"] as? Int == 1)

    try await device.settle()
    try await device.relaunch()
    #expect(device.sessions.first?.stateRestorationActivity?.title == "set")
    #expect(device.sessions.first?.userInfo?["n"] as? Int == 1)
  }
}
