// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium

// What is posted about the application, after the callback that causes it (R-AGG-1); the object is
// the application.
extension UIApplication {
  /// The launch is complete but for the scenes.
  public nonisolated static let didFinishLaunchingNotification = NSNotification.Name(
    "UIApplicationDidFinishLaunchingNotification")

  /// The first scene is about to be seen.
  public nonisolated static let willEnterForegroundNotification = NSNotification.Name(
    "UIApplicationWillEnterForegroundNotification")

  /// The first scene is active.
  public nonisolated static let didBecomeActiveNotification = NSNotification.Name(
    "UIApplicationDidBecomeActiveNotification")

  /// The last active scene is about to stop being active.
  public nonisolated static let willResignActiveNotification = NSNotification.Name(
    "UIApplicationWillResignActiveNotification")

  /// The last scene is no longer seen.
  public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
    "UIApplicationDidEnterBackgroundNotification")

  /// The process ends.
  public nonisolated static let willTerminateNotification = NSNotification.Name(
    "UIApplicationWillTerminateNotification")

  /// Memory is short; the device posts it when it takes scenes.
  public nonisolated static let didReceiveMemoryWarningNotification = NSNotification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")

  /// Protected data is about to become unavailable.
  public nonisolated static let protectedDataWillBecomeUnavailableNotification =
    NSNotification.Name("UIApplicationProtectedDataWillBecomeUnavailable")

  /// Protected data is available.
  public nonisolated static let protectedDataDidBecomeAvailableNotification = NSNotification.Name(
    "UIApplicationProtectedDataDidBecomeAvailable")

  /// Is never posted here: the date has changed, or the clock.
  public nonisolated static let significantTimeChangeNotification = NSNotification.Name(
    "UIApplicationSignificantTimeChangeNotification")

  /// Is never posted here: whether content may be refreshed in the background has changed.
  public nonisolated static let backgroundRefreshStatusDidChangeNotification =
    NSNotification.Name("UIApplicationBackgroundRefreshStatusDidChangeNotification")

  /// Is never posted here: the user took a picture of the screen.
  public nonisolated static let userDidTakeScreenshotNotification = NSNotification.Name(
    "UIApplicationUserDidTakeScreenshotNotification")

  /// The name of a notification of the runtime.
  nonisolated static func name(
    of notification: LifecycleEvent.ApplicationNotification
  ) -> NSNotification.Name {
    switch notification {
    case .didFinishLaunching: didFinishLaunchingNotification
    case .willEnterForeground: willEnterForegroundNotification
    case .didBecomeActive: didBecomeActiveNotification
    case .willResignActive: willResignActiveNotification
    case .didEnterBackground: didEnterBackgroundNotification
    case .willTerminate: willTerminateNotification
    }
  }
}
