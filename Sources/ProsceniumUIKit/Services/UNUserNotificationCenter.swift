// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How a notification is shown while the program is in the foreground; nothing shows it.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Makes options of their bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// A number on the icon.
  public static let badge = Self(rawValue: 1)

  /// A sound.
  public static let sound = Self(rawValue: 2)

  /// An alert.
  public static let alert = Self(rawValue: 4)

  /// An entry of the list.
  public static let list = Self(rawValue: 8)

  /// A banner.
  public static let banner = Self(rawValue: 16)
}

/// What is told of notifications and of the user's answers to them.
@MainActor
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  /// Gives the delegate an answer for a scene that is connected already (semantics#delivery).
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void)

  /// Asks how a notification is shown; nothing asks but the program.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)
}

extension UNUserNotificationCenterDelegate {
  /// Reports the answer as unhandled.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    center.isUnhandled = true
  }

  /// Shows it in no way.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    completionHandler([])
  }
}

/// Where the user's answers to notifications come from; nothing else of the framework is here.
@MainActor
public final class UNUserNotificationCenter: NSObject {
  /// Set by the default implementation of the delegate's method.
  var isUnhandled = false

  /// What is told of answers.
  public weak var delegate: (any UNUserNotificationCenterDelegate)?

  /// The one of the process that runs.
  ///
  /// - Returns: The center, which keeps its delegate until the process ends.
  public static func current() -> UNUserNotificationCenter { UIApplication.shared.notifications }

  /// Does nothing: nothing was delivered.
  public func removeAllDeliveredNotifications() {}

  /// Does nothing: nothing is waiting.
  public func removeAllPendingNotificationRequests() {}

  /// Gives the delegate an answer.
  ///
  /// - Returns: Whether there is one that takes it.
  func deliver(_ response: UNNotificationResponse) -> Bool {
    isUnhandled = false
    delegate?.userNotificationCenter(self, didReceive: response) {}
    return delegate != nil && !isUnhandled
  }
}
