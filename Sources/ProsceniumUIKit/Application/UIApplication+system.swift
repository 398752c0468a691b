// SPDX-License-Identifier: Apache-2.0

public import Foundation
import ProsceniumPrimitives

// What a program asks of the system around it.
extension UIApplication {
  /// How a URL is opened outside of the program; the device does not look at it.
  public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Makes a key of its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Whether a link is opened only by a program that has claimed it.
    public static let universalLinksOnly = Self(
      rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")

    /// What led to the URL.
    public static let eventAttribution = Self(
      rawValue: "UIApplicationOpenExternalURLOptionsEventAttributionKey")
  }

  /// Hands a URL to the device.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: How it is opened.
  ///   - completion: Called later with whether anything opened it.
  public func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    handOver(url, completion)
  }

  /// Hands a URL to the device.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: How it is opened.
  /// - Returns: Whether anything opened it.
  @discardableResult
  public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
    await withCheckedContinuation { continuation in
      open(url, options: options) { continuation.resume(returning: $0) }
    }
  }

  /// Hands a URL to the device, and calls back later.
  func handOver(_ url: URL, _ completion: ((Bool) -> Void)?) {
    let isOpened = program.opensURL?(url) ?? false
    if let completion { MainQueue.later { completion(isOpened) } }
  }

  /// Tells whether the device opens a URL.
  ///
  /// - Parameter url: The URL.
  /// - Returns: Whether the device was given something that opens URLs.
  public nonisolated func canOpenURL(_ url: URL) -> Bool {
    program.shared.withLock { $0.opensURLs }
  }

  /// The text of the URL of the program's settings.
  public nonisolated static let openSettingsURLString = "app-settings:"

  /// The text of the URL of the settings of the program's notifications.
  public nonisolated static let openNotificationSettingsURLString = "app-settings:notifications"

  /// Does nothing here, and says so once.
  public func registerForRemoteNotifications() {
    Notices.say("UIApplication.registerForRemoteNotifications()")
  }

  /// Does nothing here, and says so once.
  public func unregisterForRemoteNotifications() {
    Notices.say("UIApplication.unregisterForRemoteNotifications()")
  }

  /// Whether notifications from elsewhere arrive: they never do here.
  public var isRegisteredForRemoteNotifications: Bool { false }

  /// Does nothing here, and says so once.
  public func ignoreSnapshotOnNextApplicationLaunch() {
    Notices.say("UIApplication.ignoreSnapshotOnNextApplicationLaunch()")
  }

  /// How much longer the process would run in the background: without a limit.
  public nonisolated var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }

  /// Begins work that is to end before the process does; it is counted, nothing ends it.
  ///
  /// - Parameter handler: Never called.
  /// - Returns: What ``endBackgroundTask(_:)`` takes.
  public nonisolated func beginBackgroundTask(
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    beginBackgroundTask(withName: nil, expirationHandler: handler)
  }

  /// Begins work that is to end before the process does; it is counted, nothing ends it.
  ///
  /// - Parameters:
  ///   - taskName: What it is called.
  ///   - handler: Never called.
  /// - Returns: What ``endBackgroundTask(_:)`` takes.
  public nonisolated func beginBackgroundTask(
    withName taskName: String?,
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    program.shared.withLock { shared in
      shared.backgroundTaskCount += 1
      return UIBackgroundTaskIdentifier(rawValue: shared.backgroundTaskCount)
    }
  }

  /// Says that such work has ended.
  public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}

/// What names work that is to end before the process does.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// Makes an identifier of its number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// None.
  public static let invalid = Self(rawValue: 0)
}

/// What came of work in the background.
public enum UIBackgroundFetchResult: UInt, Sendable {
  /// There is something new.
  case newData
  /// There is nothing new.
  case noData
  /// It failed.
  case failed
}
