// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium
import ProsceniumTestKit
public import ProsceniumUIKit

extension UIKitDevice {
  /// Something from outside that one scene is to handle.
  public enum Event {
    /// A URL that another program opens.
    case url(URL, sourceApplication: String? = nil)
    /// An activity, as of a search result or of a link.
    case userActivity(NSUserActivity)
    /// A quick action of the icon.
    case shortcut(UIApplicationShortcutItem)
    /// The user's answer to a notification; a payload names its content under
    /// `aps.target-content-id`.
    case notification(
      _ identifier: String, targetContentIdentifier: String? = nil,
      userInfo: [AnyHashable: Any] = [:])
    /// An accepted share.
    case share(String)
    /// An activity of another device is announced; its data follows.
    case handoff(activityType: String, targetContentIdentifier: String? = nil)
  }

  /// Why a program is launched.
  public enum Launch {
    /// The user picks its icon: the window that was active last comes back, or a new one.
    case icon
    /// The system launches it in the background: nothing connects.
    case background
    /// The system connects every session that there is, in the background.
    case connectAll
    /// For an event, whose scene comes to the foreground.
    case event(Event)
  }

  /// Brings an event to the program, which is launched for it if it does not run.
  ///
  /// - Parameter event: The event.
  /// - Returns: The session that got it.
  /// - Throws: `SceneError` if it cannot be delivered; as ``launch(_:file:line:)``; `noScene` if a
  ///   launch led to none.
  @discardableResult
  public func deliver(_ event: Event) async throws -> UISceneSession {
    guard isRunning else {
      try await launch(.event(event))
      // A launch for an event connects one session.
      guard let session = sessions.first(where: { $0.scene != nil }) else {
        throw UIKitDeviceError(.noScene, "expected a scene for the event, found none")
      }
      return session
    }
    let session = try await carryOut { try await device.application.deliver(event.value) }
    return try application.session(session)
  }

  /// Another program opens a URL, as with ``deliver(_:)``.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - sourceApplication: That program.
  /// - Returns: The session that got it.
  /// - Throws: As ``deliver(_:)``.
  @discardableResult
  public func open(_ url: URL, sourceApplication: String? = nil) async throws -> UISceneSession {
    try await deliver(.url(url, sourceApplication: sourceApplication))
  }

  /// The data of an announced activity has arrived (semantics#hand-off).
  ///
  /// - Parameter activity: The activity, of the type that was announced.
  /// - Throws: `SceneError` if no scene waits for it; `fault`.
  public func continueHandoff(with activity: NSUserActivity) async throws {
    let value = activity.value
    try await carryOut {
      try await device.application.continueHandoff(value.activityType, with: value)
    }
  }

  /// The data of an announced activity will not come.
  ///
  /// - Parameters:
  ///   - activityType: The type that was announced.
  ///   - error: Why.
  /// - Throws: `SceneError` if no scene waits for it; `fault`.
  public func failHandoff(_ activityType: String, error: any Error & Sendable) async throws {
    try await carryOut {
      try await device.application.failHandoff(activityType, error: error)
    }
  }
}

@available(*, unavailable)
extension UIKitDevice.Event: Sendable {}

@available(*, unavailable)
extension UIKitDevice.Launch: Sendable {}

extension UIKitDevice.Event {
  /// The event as the runtime routes it.
  var value: SceneEvent {
    switch self {
    case .url(let url, let sourceApplication):
      .url(
        OpenURLContext(
          url.absoluteString, options: OpenURLOptions(sourceApplication: sourceApplication)))
    case .userActivity(let activity): .activity(activity.value)
    case .shortcut(let item): .shortcut(item.value)
    case .notification(let identifier, let target, let userInfo):
      .notification(
        NotificationResponse(
          identifier, targetContentIdentifier: target,
          userInfo: UserInfo(userInfo, of: "the notification's payload").values))
    case .share(let identifier): .share(ShareMetadata(identifier))
    case .handoff(let type, let target):
      .handoff(activityType: type, targetContentIdentifier: target)
    }
  }
}

extension UIKitDevice.Launch {
  var value: ApplicationSettings.Launch {
    switch self {
    case .icon: .icon
    case .background: .background
    case .connectAll: .connectAll
    case .event(let event): .event(event.value)
    }
  }
}
