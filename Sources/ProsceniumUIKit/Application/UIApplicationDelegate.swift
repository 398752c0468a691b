// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a program does about the application as a whole.
///
/// All methods are optional in UIKit; here they have default implementations. Those about the state
/// of the user interface, and those for URLs, activities and quick actions, are not called in a
/// program with scenes, as in UIKit.
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
  /// The window of a program without scenes; held.
  var window: UIWindow? { get set }

  /// Tells the delegate that the launch has begun; no scene exists yet (R-LCH-1).
  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// Tells the delegate that the launch is complete but for the scenes (R-LCH-1).
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// Tells the delegate that the launch is complete, in a form without options.
  func applicationDidFinishLaunching(_ application: UIApplication)

  /// Asks for the configuration of a new session, shortly before its scene is made (R-CFG-1).
  func application(
    _ application: UIApplication,
    configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration

  /// Tells the delegate that sessions are gone for good (R-DST-3).
  func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)

  /// Tells the delegate that the process ends; every scene has disconnected before (2.8 e).
  func applicationWillTerminate(_ application: UIApplication)

  /// Tells the delegate that memory is short: the device is about to take scenes.
  func applicationDidReceiveMemoryWarning(_ application: UIApplication)

  /// Tells the delegate that protected data is about to become unavailable (R-SR-6).
  func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)

  /// Tells the delegate that protected data is available.
  func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)

  // MARK: - Not called in a program with scenes

  /// Is not called in a program with scenes.
  func applicationDidBecomeActive(_ application: UIApplication)

  /// Is not called in a program with scenes.
  func applicationWillResignActive(_ application: UIApplication)

  /// Is not called in a program with scenes.
  func applicationDidEnterBackground(_ application: UIApplication)

  /// Is not called in a program with scenes.
  func applicationWillEnterForeground(_ application: UIApplication)

  /// Is not called in a program with scenes.
  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool

  /// Is not called in a program with scenes.
  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool

  /// Is not called in a program with scenes.
  func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void)
}

extension UIApplicationDelegate {
  /// None.
  public var window: UIWindow? {
    get { nil }
    set {}
  }

  /// Goes on.
  public func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  /// Calls the form without options, and goes on.
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    applicationDidFinishLaunching(application)
    return true
  }

  /// Does nothing.
  public func applicationDidFinishLaunching(_ application: UIApplication) {}

  /// Chooses the first entry of the role (R-CFG-2).
  public func application(
    _ application: UIApplication,
    configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration { connectingSceneSession.configuration }

  /// Does nothing.
  public func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
  ) {}

  /// Does nothing.
  public func applicationWillTerminate(_ application: UIApplication) {}

  /// Does nothing.
  public func applicationDidReceiveMemoryWarning(_ application: UIApplication) {}

  /// Does nothing.
  public func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {}

  /// Does nothing.
  public func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {}

  /// Does nothing.
  public func applicationDidBecomeActive(_ application: UIApplication) {}

  /// Does nothing.
  public func applicationWillResignActive(_ application: UIApplication) {}

  /// Does nothing.
  public func applicationDidEnterBackground(_ application: UIApplication) {}

  /// Does nothing.
  public func applicationWillEnterForeground(_ application: UIApplication) {}

  /// Opens nothing.
  public func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool { false }

  /// Continues nothing.
  public func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool { false }

  /// Does nothing.
  public func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {}

  /// Begins the program that is marked `@main`: here a device launches it, so that this only says
  /// so.
  public static func main() {
    Notices.say("\(Self.self).main()", "starts nothing here: a UIKitDevice launches the program")
  }
}

/// Begins a program in its `main.swift`: here a device launches it, so that this only says so.
///
/// - Returns: 0.
@discardableResult
public func UIApplicationMain(
  _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ principalClassName: String?, _ delegateClassName: String?
) -> Int32 {
  MainActor.assumeIsolated {
    Notices.say("UIApplicationMain", "starts nothing here: a UIKitDevice launches the program")
  }
  return 0
}

/// What takes part in the continuation of an activity.
@MainActor
public protocol UIUserActivityRestoring: NSObjectProtocol {
  /// Takes over what an activity says.
  func restoreUserActivityState(_ activity: NSUserActivity)
}

extension UIResponder: UIUserActivityRestoring {}
