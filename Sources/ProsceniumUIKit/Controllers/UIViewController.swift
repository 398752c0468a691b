// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A controller of a view, which is told of its life as if the view were shown.
@MainActor
open class UIViewController: UIResponder, UITraitEnvironment {
  /// Its title, which its items in bars take over.
  open var title: String? {
    didSet {
      madeNavigationItem?.title = title
      madeTabBarItem?.title = title
    }
  }
  /// The storyboard that it was made by.
  open internal(set) var storyboard: UIStoryboard?
  /// The controllers in it.
  open internal(set) var children: [UIViewController] = []
  /// The controller that it is in.
  open internal(set) weak var parent: UIViewController?
  /// How it would be presented.
  open var modalPresentationStyle = UIModalPresentationStyle.automatic
  /// How it would come when it is presented.
  open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
  /// Whether the user cannot dismiss it by a gesture.
  open var isModalInPresentation = false
  /// Whether a tab bar would be hidden while it is the top one.
  open var hidesBottomBarWhenPushed = false
  /// The style that holds here and below, unless it is unspecified.
  open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified

  var loaded: UIView?
  var presented: UIViewController?
  weak var presenting: UIViewController?
  weak var rootWindow: UIWindow?
  var phase = Phase.away
  var isAnimated = false
  var contained: [UIViewController] = []
  private var madeNavigationItem: UINavigationItem?
  private var madeTabBarItem: UITabBarItem?

  /// Makes a controller; the file of its view is not read.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init()
  }

  /// Makes a controller; the coder is not read.
  public required init?(coder: NSCoder) {
    super.init()
  }

  /// Makes a controller.
  public convenience override init() { self.init(nibName: nil, bundle: nil) }

  /// What presented it, else the view that its view is in, else its parent or window.
  open override var next: UIResponder? {
    presenting ?? loaded?.superview ?? parent ?? rootWindow
  }

  /// Its view, which is loaded when it is first asked for.
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loaded
    }
    set {
      loaded?.controller = nil
      loaded = newValue
      loaded?.controller = self
    }
  }

  /// Makes the view; a plain one, unless a class does it otherwise.
  open func loadView() { view = UIView(frame: UIScreen.main.bounds) }

  /// Makes the view unless there is one.
  open func loadViewIfNeeded() {
    guard loaded == nil else { return }
    loadView()
    if loaded == nil { view = UIView(frame: UIScreen.main.bounds) }
    viewDidLoad()
  }

  /// Is called when the view was made.
  open func viewDidLoad() {}

  /// Is called before the view comes into a window that is shown.
  open func viewWillAppear(_ animated: Bool) {}

  /// Is called when the view is in such a window, before `viewDidAppear(_:)`.
  open func viewIsAppearing(_ animated: Bool) {}

  /// Is called when the view is in such a window.
  open func viewDidAppear(_ animated: Bool) {}

  /// Is called before the view leaves such a window.
  open func viewWillDisappear(_ animated: Bool) {}

  /// Is called when the view has left such a window.
  open func viewDidDisappear(_ animated: Bool) {}

  /// Is called before the controller has another parent.
  open func willMove(toParent parent: UIViewController?) {}

  /// Is called when the controller has another parent.
  open func didMove(toParent parent: UIViewController?) {}

  /// Makes a controller a child; the program adds the view and calls `didMove(toParent:)`.
  open func addChild(_ childController: UIViewController) {
    guard childController.parent !== self, !isIn(childController) else { return }
    childController.removeFromParent()
    childController.willMove(toParent: self)
    children.append(childController)
    childController.parent = self
  }

  /// Takes the controller out of its parent, without its view.
  open func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    didMove(toParent: nil)
  }

  /// Presents a controller, at once.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (() -> Void)? = nil
  ) {
    if show(presented: viewControllerToPresent, animated: flag) { completion?() }
  }

  /// Dismisses what the controller presents, or the controller if it presents nothing.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    let host = presentedViewController == nil ? presentingViewController : self
    host?.outermost.hidePresented(animated: flag)
    completion?()
  }

  /// Shows a controller as fits the place: pushes it or presents it.
  open func show(_ vc: UIViewController, sender: Any?) {
    if let container = parent {
      container.show(vc, sender: sender)
    } else {
      present(vc, animated: true)
    }
  }

  /// Shows a controller as the detail of a split one, or presents it.
  open func showDetailViewController(_ vc: UIViewController, sender: Any?) {
    if let container = parent {
      container.showDetailViewController(vc, sender: sender)
    } else {
      present(vc, animated: true)
    }
  }

  /// Does nothing: a storyboard is not read.
  open func performSegue(withIdentifier identifier: String, sender: Any?) {
    Notices.say("UIViewController.performSegue")
  }

  /// The traits that hold here.
  open var traitCollection: UITraitCollection {
    let above = (parent ?? presenting)?.traitCollection ?? rootWindow?.traitCollection
    return (above ?? .current).with(overrideUserInterfaceStyle)
  }

  /// How the text in the status bar should look.
  open var preferredStatusBarStyle: UIStatusBarStyle { .default }

  /// Whether there should be no status bar.
  open var prefersStatusBarHidden: Bool { false }

  /// Does nothing: there is no status bar.
  open func setNeedsStatusBarAppearanceUpdate() {}

  /// The ways up that it supports.
  open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .all }

  /// What it shows in a navigation bar.
  open var navigationItem: UINavigationItem {
    if let madeNavigationItem { return madeNavigationItem }
    let item = UINavigationItem(title: title ?? "")
    madeNavigationItem = item
    return item
  }

  /// What it shows in a tab bar.
  open var tabBarItem: UITabBarItem! {
    get {
      if let madeTabBarItem { return madeTabBarItem }
      let item = UITabBarItem(title: title, image: nil, tag: 0)
      madeTabBarItem = item
      return item
    }
    set { madeTabBarItem = newValue }
  }

  /// The children that a container shows; nil for a controller that places its children itself.
  var wanted: [UIViewController]? { nil }
}
