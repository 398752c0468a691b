// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium

extension UIScene {
  /// Why a scene is being connected (semantics#connection-options).
  ///
  /// The same object is given to the application delegate, which chooses the configuration, and to
  /// the scene delegate. What is in it is not delivered a second time by a callback (R-CON-2).
  @MainActor
  open class ConnectionOptions: NSObject {
    /// The URLs to open.
    public let urlContexts: Set<UIOpenURLContext>

    /// The program that opened the URL, if it is known.
    public let sourceApplication: String?

    /// The type of an activity of another device whose data will follow (semantics#hand-off).
    public let handoffUserActivityType: String?

    /// The activities to show; never one of another device.
    public let userActivities: Set<NSUserActivity>

    /// The user's answer to a notification.
    public let notificationResponse: UNNotificationResponse?

    /// The quick action that the user picked.
    public let shortcutItem: UIApplicationShortcutItem?

    /// An accepted share.
    public let cloudKitShareMetadata: CKShare.Metadata?

    init(_ options: Scene.ConnectionOptions) {
      urlContexts = Set(options.urlContexts.compactMap(UIOpenURLContext.init))
      sourceApplication = options.sourceApplication
      handoffUserActivityType = options.handoffUserActivityType
      userActivities = Set(options.userActivities.map { NSUserActivity($0) })
      notificationResponse = options.notificationResponse.map { UNNotificationResponse($0) }
      shortcutItem = options.shortcutItem.map { UIApplicationShortcutItem($0) }
      cloudKitShareMetadata = options.shareMetadata.map { CKShare.Metadata($0) }
      super.init()
    }
  }
}
