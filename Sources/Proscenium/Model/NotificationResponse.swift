// SPDX-License-Identifier: Apache-2.0

/// What the user did with a notification (`UNNotificationResponse`).
public struct NotificationResponse: Sendable, Hashable {
  /// The action of a user who simply opened the notification.
  public static let defaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"

  /// Which notification it was.
  public var identifier: String

  /// Which of its actions the user picked.
  public var actionIdentifier: String

  /// What the notification is about, for routing.
  public var targetContentIdentifier: String?

  /// The notification's payload.
  public var userInfo: [String: UserInfoValue]

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - identifier: Which notification it was.
  ///   - actionIdentifier: Which of its actions the user picked.
  ///   - targetContentIdentifier: What it is about; if nil, it is looked for in the payload.
  ///   - userInfo: The notification's payload. A remote one names its content under
  ///     `aps.target-content-id`.
  public init(
    _ identifier: String, actionIdentifier: String = Self.defaultActionIdentifier,
    targetContentIdentifier: String? = nil, userInfo: [String: UserInfoValue] = [:]
  ) {
    self.identifier = identifier
    self.actionIdentifier = actionIdentifier
    self.targetContentIdentifier =
      targetContentIdentifier ?? userInfo["aps"]?.dictionary?["target-content-id"]?.string
    self.userInfo = userInfo
  }
}
