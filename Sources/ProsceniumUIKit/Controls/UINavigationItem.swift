// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a controller shows in a navigation bar.
@MainActor
open class UINavigationItem: NSObject {
  /// The title.
  open var title: String?
  /// The view in the place of the title.
  open var titleView: UIView?
  /// The text of the button that leads back to the controller.
  open var backButtonTitle: String?
  /// Whether there is no button that leads back.
  open var hidesBackButton = false
  /// Whether the buttons on the left leave the one that leads back.
  open var leftItemsSupplementBackButton = false
  /// The buttons on the left.
  open var leftBarButtonItems: [UIBarButtonItem]?
  /// The buttons on the right.
  open var rightBarButtonItems: [UIBarButtonItem]?
  /// Whether the title is large.
  open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic

  /// Makes an item.
  public init(title: String) {
    self.title = title
    super.init()
  }

  /// The first button on the left.
  open var leftBarButtonItem: UIBarButtonItem? {
    get { leftBarButtonItems?.first }
    set { leftBarButtonItems = newValue.map { [$0] } }
  }

  /// The first button on the right.
  open var rightBarButtonItem: UIBarButtonItem? {
    get { rightBarButtonItems?.first }
    set { rightBarButtonItems = newValue.map { [$0] } }
  }

  /// Whether a title is large.
  public enum LargeTitleDisplayMode: Int, Sendable {
    /// As it was before.
    case automatic
    /// It is.
    case always
    /// It is not.
    case never
  }
}
