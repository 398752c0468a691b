// SPDX-License-Identifier: Apache-2.0

/// Something from outside that one scene is to handle: it is routed by the identifier of its
/// content (semantics#delivery).
///
/// A scene that connects for an event finds it in its ``Scene/ConnectionOptions``; one that is
/// connected already gets a callback. It is never both (R-CON-2), but for a hand-off, whose
/// announcement is in the options and is told again when the scene has become active.
public enum SceneEvent: Sendable {
  /// A URL that was opened: `scene(_:openURLContexts:)`.
  case url(OpenURLContext)
  /// An activity, from a search result, another application or the program itself:
  /// `scene(_:continue:)`.
  case activity(UserActivity)
  /// A quick action: `scene(_:performActionFor:)`.
  case shortcut(ShortcutItem)
  /// The user's answer to a notification: `application(_:didReceive:targetScene:)`.
  case notification(NotificationResponse)
  /// An accepted share: `scene(_:userDidAcceptShareWith:)`.
  case share(ShareMetadata)
  /// An activity of another device is announced, its data will follow:
  /// `scene(_:willContinueUserActivityWithType:)` (semantics#hand-off).
  case handoff(activityType: String, targetContentIdentifier: String? = nil)

  /// The identifier by which the event is routed, or `nil` (semantics#routing-inputs).
  public var targetContentIdentifier: String? {
    switch self {
    case .url(let context): context.url
    case .activity(let activity): activity.routingIdentifier
    case .shortcut(let item): item.targetContentIdentifier
    case .notification(let response): response.targetContentIdentifier
    case .share: nil
    case .handoff(_, let identifier): identifier
    }
  }

  /// Whether its data follows, for the session that was told of it: it is looked for among the
  /// sessions of the same process.
  package var isAnnouncement: Bool {
    if case .handoff = self { true } else { false }
  }
}

/// A URL that a scene is asked to open.
public struct OpenURLContext: Sendable, Hashable {
  /// The text of the URL, as it came in.
  ///
  /// It is a text since routing compares it byte by byte with predicates: a parsed URL may spell
  /// itself differently. Nothing checks that it is a URL.
  public var url: String

  /// Who opens it, and how its file may be used.
  public var options: OpenURLOptions

  /// Creates a context.
  public init(_ url: String, options: OpenURLOptions = .init()) {
    self.url = url
    self.options = options
  }
}

/// Who opens a URL, and how its file may be used (semantics#urls).
public struct OpenURLOptions: Sendable, Hashable {
  /// The program that asks, or `nil` if it is unknown.
  public var sourceApplication: String?

  /// What the program that asks wants to say about the URL.
  public var annotation: UserInfoValue?

  /// Whether the file may be used where it is; `false` means that it is to be copied first.
  public var openInPlace: Bool

  /// Creates options.
  public init(
    sourceApplication: String? = nil, annotation: UserInfoValue? = nil,
    openInPlace: Bool = false
  ) {
    self.sourceApplication = sourceApplication
    self.annotation = annotation
    self.openInPlace = openInPlace
  }
}

/// A quick action that the user picked (`UIApplicationShortcutItem`).
public struct ShortcutItem: Sendable, Hashable {
  /// Which action it is.
  public var type: String

  /// The title that the user saw.
  public var localizedTitle: String

  /// What the action shows, for routing; UIKit leaves its type open, here it is a text.
  public var targetContentIdentifier: String?

  /// What the action needs besides its type.
  public var userInfo: [String: UserInfoValue]

  /// Creates an action.
  public init(
    _ type: String, localizedTitle: String = "", targetContentIdentifier: String? = nil,
    userInfo: [String: UserInfoValue] = [:]
  ) {
    self.type = type
    self.localizedTitle = localizedTitle
    self.targetContentIdentifier = targetContentIdentifier
    self.userInfo = userInfo
  }
}

/// An accepted share (`CKShare.Metadata`): it names no content, so that the most recently active
/// session gets it.
public struct ShareMetadata: Sendable, Hashable {
  /// Which share it is.
  public var identifier: String

  /// What the share's owner says about it.
  public var userInfo: [String: UserInfoValue]

  /// Creates the metadata of a share.
  public init(_ identifier: String, userInfo: [String: UserInfoValue] = [:]) {
    self.identifier = identifier
    self.userInfo = userInfo
  }
}
