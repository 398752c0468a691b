// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A controller of a stack of controllers, of which the last one is shown.
@MainActor
open class UINavigationController: UIViewController {
  /// The bar above the controllers.
  public let navigationBar = UINavigationBar()
  /// Whether the bar above is hidden.
  open var isNavigationBarHidden = false

  /// Makes a stack without controllers.
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  /// Makes a stack of one controller.
  public init(rootViewController: UIViewController) {
    super.init(nibName: nil, bundle: nil)
    replaceChildren([rootViewController], animated: false)
  }

  /// Makes a stack without controllers; the coder is not read.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// The stack, from the bottom to the top.
  open var viewControllers: [UIViewController] {
    get { children }
    set { setViewControllers(newValue, animated: false) }
  }

  /// The last one.
  open var topViewController: UIViewController? { children.last }

  /// What the last one presents, else the last one.
  open var visibleViewController: UIViewController? { presentedViewController ?? children.last }

  override var wanted: [UIViewController]? { children.suffix(1) }

  /// Replaces the stack.
  open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
    replaceChildren(viewControllers, animated: animated)
  }

  /// Puts a controller on top, unless it is in the stack.
  open func pushViewController(_ viewController: UIViewController, animated: Bool) {
    guard !children.contains(where: { $0 === viewController }) else { return }
    setViewControllers(children + [viewController], animated: animated)
  }

  /// Takes the last one away, unless it is the only one.
  ///
  /// - Returns: The one taken away.
  @discardableResult
  open func popViewController(animated: Bool) -> UIViewController? {
    guard children.count > 1, let last = children.last else { return nil }
    setViewControllers(children.dropLast(), animated: animated)
    return last
  }

  /// Takes away what is above a controller.
  ///
  /// - Returns: Those taken away.
  @discardableResult
  open func popToViewController(
    _ viewController: UIViewController, animated: Bool
  ) -> [UIViewController]? {
    guard let index = children.firstIndex(where: { $0 === viewController }) else { return nil }
    let above = Array(children.suffix(from: index + 1))
    setViewControllers(Array(children.prefix(index + 1)), animated: animated)
    return above
  }

  /// Takes away what is above the first one.
  ///
  /// - Returns: Those taken away.
  @discardableResult
  open func popToRootViewController(animated: Bool) -> [UIViewController]? {
    children.first.flatMap { popToViewController($0, animated: animated) }
  }

  /// Shows or hides the bar above.
  open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) {
    isNavigationBarHidden = hidden
  }

  /// Puts a controller on top.
  open override func show(_ vc: UIViewController, sender: Any?) {
    pushViewController(vc, animated: true)
  }
}
