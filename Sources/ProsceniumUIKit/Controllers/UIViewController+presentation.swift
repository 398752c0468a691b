// SPDX-License-Identifier: Apache-2.0

extension UIViewController {
  /// The controller that this one, or one that it is in, presents.
  public var presentedViewController: UIViewController? {
    var one: UIViewController? = self
    while let current = one {
      if let presented = current.presented { return presented }
      one = current.parent
    }
    return nil
  }

  /// The controller that presents this one, or one that it is in.
  public var presentingViewController: UIViewController? { outermost.presenting }

  var outermost: UIViewController {
    var one = self
    while let parent = one.parent { one = parent }
    return one
  }

  /// What it presents, what that presents, and so on.
  var presentedOnes: [UIViewController] {
    var found: [UIViewController] = []
    var one = presented
    while let current = one {
      found.append(current)
      one = current.presented
    }
    return found
  }

  /// Whether what it presents takes its view's place.
  var isCovered: Bool {
    guard let style = presented?.modalPresentationStyle else { return false }
    return style == .fullScreen || style == .currentContext
  }

  func show(presented controller: UIViewController, animated: Bool) -> Bool {
    let host = outermost
    guard host.presented == nil else {
      Notices.say("UIViewController.present", "does nothing while another one is presented")
      return false
    }
    guard let hostView = host.loaded, let window = hostView.window else {
      Notices.say("UIViewController.present", "does nothing where no window has the view")
      return false
    }
    guard controller.parent == nil, controller.presenting == nil, controller !== host,
      controller.rootWindow == nil
    else {
      Notices.say("UIViewController.present", "does nothing with one that is shown already")
      return false
    }
    host.presented = controller
    controller.presenting = host
    controller.loadViewIfNeeded()
    guard let view = controller.loaded else { return true }
    let covers = host.isCovered
    if window.isShown {
      if covers { Visibility.begin(false, animated: animated, hostView) }
      Visibility.begin(true, animated: animated, view)
    }
    view.frame = window.bounds
    window.addSubview(view)
    if covers { hostView.removeFromSuperview() }
    return true
  }

  func hidePresented(animated: Bool) {
    for controller in presentedOnes.reversed() {
      guard let host = controller.presenting else { continue }
      let window = controller.loaded?.window
      let hidden = host.isCovered ? host.loaded : nil
      if let view = controller.loaded, window?.isShown == true {
        Visibility.begin(false, animated: animated, view)
        if host === self, let hidden { Visibility.begin(true, animated: animated, hidden) }
      }
      host.presented = nil
      controller.presenting = nil
      if host === self, let hidden { window?.insertSubview(hidden, at: 0) }
      controller.loaded?.removeFromSuperview()
    }
  }
}
