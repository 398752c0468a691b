// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A controller of several ones, of which the selected one is shown.
@MainActor
open class UITabBarController: UIViewController {
  /// The bar by which one is selected.
  public let tabBar = UITabBar()
  /// What hears of the user's choices.
  open weak var delegate: (any UITabBarControllerDelegate)?
  private var selected: UIViewController?

  /// Makes one without controllers.
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    tabBar.owner = self
  }

  /// Makes one without controllers; the coder is not read.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    tabBar.owner = self
  }

  /// The controllers.
  open var viewControllers: [UIViewController]? {
    get { children.isEmpty ? nil : children }
    set { setViewControllers(newValue, animated: false) }
  }

  override var wanted: [UIViewController]? { selected.map { [$0] } ?? [] }

  /// Replaces the controllers; the selected one stays selected if it is among them.
  open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {
    let new = viewControllers ?? []
    if !new.contains(where: { $0 === selected }) { selected = new.first }
    replaceChildren(new, animated: animated)
  }

  /// The one that is shown.
  open var selectedViewController: UIViewController? {
    get { selected }
    set {
      guard let newValue, children.contains(where: { $0 === newValue }) else { return }
      selected = newValue
      showWanted(animated: false)
    }
  }

  /// The place of the one that is shown; a place that there is not is not taken.
  open var selectedIndex: Int {
    get { children.firstIndex { $0 === selected } ?? NSNotFound }
    set {
      guard children.indices.contains(newValue) else { return }
      selectedViewController = children[newValue]
    }
  }
}

/// What hears of the user's choices, which are never made.
@MainActor
public protocol UITabBarControllerDelegate: NSObjectProtocol {
  /// Says whether the user may select one.
  func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool

  /// Is called when the user selected one.
  func tabBarController(
    _ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

extension UITabBarControllerDelegate {
  /// Says yes.
  public func tabBarController(
    _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
  ) -> Bool { true }

  /// Does nothing.
  public func tabBarController(
    _ tabBarController: UITabBarController, didSelect viewController: UIViewController
  ) {}
}
