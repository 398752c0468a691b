// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium

/// What the user did with a notification.
///
/// This and its parts belong to the framework UserNotifications; UIKit's connection options have
/// them.
public final class UNNotificationResponse: NSObject, Sendable {
  private let value: NotificationResponse

  /// The scene that the response is for, if it was connected already.
  @MainActor public private(set) weak var targetScene: UIScene?

  init(_ value: NotificationResponse) {
    self.value = value
    super.init()
  }

  @MainActor
  convenience init(_ value: NotificationResponse, targetScene: UIScene?) {
    self.init(value)
    self.targetScene = targetScene
  }

  /// Which of the notification's actions the user picked.
  public var actionIdentifier: String { value.actionIdentifier }

  /// The notification.
  public var notification: UNNotification { UNNotification(value) }
}

/// A notification that was delivered.
public final class UNNotification: NSObject, Sendable {
  /// What asked for it.
  public let request: UNNotificationRequest

  init(_ value: NotificationResponse) {
    request = UNNotificationRequest(value)
    super.init()
  }
}

/// What asked for a notification.
public final class UNNotificationRequest: NSObject, Sendable {
  /// Which notification it is.
  public let identifier: String

  /// What it says.
  public let content: UNNotificationContent

  init(_ value: NotificationResponse) {
    identifier = value.identifier
    content = UNNotificationContent(value)
    super.init()
  }
}

/// What a notification says.
public final class UNNotificationContent: NSObject, Sendable {
  private let value: NotificationResponse

  init(_ value: NotificationResponse) {
    self.value = value
    super.init()
  }

  /// The payload.
  public var userInfo: [AnyHashable: Any] {
    Dictionary(uniqueKeysWithValues: value.userInfo.map { (AnyHashable($0), $1.object) })
  }

  /// What it is about, for routing.
  public var targetContentIdentifier: String? { value.targetContentIdentifier }
}

/// The action of a user who simply opened a notification.
public let UNNotificationDefaultActionIdentifier = NotificationResponse.defaultActionIdentifier
