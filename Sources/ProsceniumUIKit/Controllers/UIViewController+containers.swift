// SPDX-License-Identifier: Apache-2.0

extension UIViewController {
  /// How far the view of a controller is.
  enum Phase {
    /// It is not in a window that is shown.
    case away
    /// It is about to be.
    case appearing
    /// It is.
    case here
    /// It is about to be no longer.
    case disappearing
  }

  /// Whether the view was made.
  public var isViewLoaded: Bool { loaded != nil }

  /// The view, if it was made.
  public var viewIfLoaded: UIView? { loaded }

  /// The navigation controller that it is in.
  public var navigationController: UINavigationController? { around() }

  /// The tab bar controller that it is in.
  public var tabBarController: UITabBarController? { around() }

  /// The split view controller that it is in.
  public var splitViewController: UISplitViewController? { around() }

  private func around<T: UIViewController>() -> T? {
    var controller = parent
    while let one = controller {
      if let found = one as? T { return found }
      controller = one.parent
    }
    return nil
  }

  /// Says whether a controller is this one or one that it is in.
  func isIn(_ controller: UIViewController) -> Bool {
    var one: UIViewController? = self
    while let current = one, current !== controller { one = current.parent }
    return one != nil
  }

  func begin(_ appears: Bool, animated: Bool) {
    if appears, phase == .away || phase == .disappearing {
      phase = .appearing
      isAnimated = animated
      viewWillAppear(animated)
      showWanted(animated: animated)
    } else if !appears, phase == .here || phase == .appearing {
      phase = .disappearing
      isAnimated = animated
      viewWillDisappear(animated)
    }
  }

  func end(_ appears: Bool) {
    if appears {
      begin(true, animated: false)
      guard phase == .appearing else { return }
      phase = .here
      viewIsAppearing(isAnimated)
      viewDidAppear(isAnimated)
    } else if phase == .disappearing {
      phase = .away
      viewDidDisappear(isAnimated)
    }
  }

  /// Has the view show the children that it should, if it is shown itself.
  func showWanted(animated: Bool) {
    guard let wanted, phase == .appearing || phase == .here, let view = loaded else { return }
    let leaving = contained.filter { one in !wanted.contains { $0 === one } }
    let entering = wanted.filter { one in !contained.contains { $0 === one } }
    contained = wanted
    let gone = leaving.compactMap(\.loaded).filter { $0.superview === view }
    for view in gone { Visibility.begin(false, animated: animated, view) }
    let new = entering.compactMap(\.view)
    for one in new {
      one.frame = view.bounds
      Visibility.begin(true, animated: animated, one)
    }
    for one in gone { one.removeFromSuperview() }
    for one in new { view.addSubview(one) }
  }

  /// Replaces the children, and what is shown of them.
  func replaceChildren(_ new: [UIViewController], animated: Bool) {
    let new = new.filter { !isIn($0) }
    let leaving = children.filter { one in !new.contains { $0 === one } }
    let entering = new.filter { $0.parent !== self }
    for one in entering { addChild(one) }
    for one in leaving { one.willMove(toParent: nil) }
    children = new
    showWanted(animated: animated)
    for one in leaving where one.parent === self { one.removeFromParent() }
    for one in entering { one.didMove(toParent: self) }
  }

  /// Takes the views out of the window whose root it was; what it presents is presented no longer.
  func leave() {
    rootWindow = nil
    for controller in presentedOnes.reversed() {
      controller.loaded?.removeFromSuperview()
      controller.presenting?.presented = nil
      controller.presenting = nil
    }
    loaded?.removeFromSuperview()
  }
}
