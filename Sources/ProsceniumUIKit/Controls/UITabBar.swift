// SPDX-License-Identifier: Apache-2.0

/// The bar below controllers by which one is selected.
@MainActor
open class UITabBar: UIView {
  /// How it should look.
  open var standardAppearance = UITabBarAppearance()
  /// How it should look where the content ends.
  open var scrollEdgeAppearance: UITabBarAppearance?
  /// Whether something shines through.
  open var isTranslucent = true
  /// The colour behind it.
  open var barTintColor: UIColor?
  /// The colour of items that are not selected.
  open var unselectedItemTintColor: UIColor?

  weak var owner: UITabBarController?

  /// The items of its controller's controllers, if it has a controller.
  open var items: [UITabBarItem]? { owner?.children.compactMap(\.tabBarItem) }

  /// The item of the controller that is selected.
  open var selectedItem: UITabBarItem? { owner?.selectedViewController?.tabBarItem }

  /// Returns the proxy that holds how such bars should look.
  open override class func appearance() -> UITabBar { Proxies.of { UITabBar() } }
}
