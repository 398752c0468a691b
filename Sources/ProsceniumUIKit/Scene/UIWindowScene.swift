// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A scene that has windows.
///
/// It does not keep them: as a rule its delegate does. It has no geometry.
@MainActor
open class UIWindowScene: UIScene {
  /// How the windows of a session that ends leave the screen; it is the reason of its end.
  public enum DismissalAnimation: Int, Sendable {
    /// The user asked for the content to go.
    case standard = 1
    /// The purpose of the session was fulfilled.
    case commit = 2
    /// The purpose of the session was not fulfilled for now.
    case decline = 3
  }

  private struct Attached {
    weak var window: UIWindow?
  }

  private var attached: [Attached] = []

  /// The windows that belong to the scene and exist.
  open var windows: [UIWindow] { attached.compactMap(\.window) }

  /// The window that was made the key one, if there is one.
  open var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }

  /// The display that the scene is on.
  open var screen: UIScreen { .main }

  /// How large its windows may be; none, as on a telephone.
  open var sizeRestrictions: UISceneSizeRestrictions? { nil }

  /// The traits of the scene's display.
  open var traitCollection: UITraitCollection { .current }

  /// How the interface is turned; upright.
  open var interfaceOrientation: UIInterfaceOrientation { .portrait }

  func attach(_ window: UIWindow) {
    attached.removeAll { $0.window == nil || $0.window === window }
    attached.append(Attached(window: window))
  }

  func detach(_ window: UIWindow) {
    attached.removeAll { $0.window == nil || $0.window === window }
  }
}
