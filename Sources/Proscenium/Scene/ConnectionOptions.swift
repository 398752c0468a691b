// SPDX-License-Identifier: Apache-2.0

extension Scene {
  /// Why a scene is being connected: what the user or the system wants it to show (section 1.9 of
  /// the semantics).
  ///
  /// The same options are given to `configurationForConnecting` and to `willConnectTo`, but for the
  /// activity of a ``Wake``, which is known when the saved state is opened. What stands
  /// here is not delivered a second time by a callback (R-CON-2). One connection has at most one
  /// reason, so that at most one field is set.
  public struct ConnectionOptions: Sendable {
    /// The URLs to open, in the order of their submission; UIKit's set has no order.
    public var urlContexts: [OpenURLContext] = []

    /// The program that opened the URL, or `nil`.
    public var sourceApplication: String? { urlContexts.first?.options.sourceApplication }

    /// The type of an activity of another device whose data will follow, or `nil` (section 3.6).
    public var handoffUserActivityType: String?

    /// The activities to show, in the order of their submission; never one of another device.
    public var userActivities: [UserActivity] = []

    /// The user's answer to a notification, or `nil`.
    public var notificationResponse: NotificationResponse?

    /// The quick action that the user picked, or `nil`.
    public var shortcutItem: ShortcutItem?

    /// An accepted share, or `nil`.
    public var shareMetadata: ShareMetadata?

    /// Whether the scene is connected for no particular reason.
    public var isEmpty: Bool {
      urlContexts.isEmpty && handoffUserActivityType == nil && userActivities.isEmpty
        && notificationResponse == nil && shortcutItem == nil && shareMetadata == nil
    }

    /// Creates options, for tests of delegates; an application makes its own.
    public init(_ event: SceneEvent? = nil) {
      switch event {
      case nil: break
      case .url(let context): urlContexts = [context]
      case .activity(let activity): userActivities = [activity]
      case .shortcut(let item): shortcutItem = item
      case .notification(let response): notificationResponse = response
      case .share(let metadata): shareMetadata = metadata
      case .handoff(let type, _): handoffUserActivityType = type
      }
    }
  }
}
