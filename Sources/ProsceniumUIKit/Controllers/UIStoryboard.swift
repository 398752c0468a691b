// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A storyboard, which is known by name and not read.
///
/// A test says what it makes; otherwise it makes plain controllers.
@MainActor
open class UIStoryboard: NSObject {
  private let name: String

  /// Makes a storyboard by name; it is not looked for.
  public init(name: String, bundle storyboardBundleOrNil: Bundle?) {
    self.name = name
    super.init()
  }

  /// Returns the first controller.
  open func instantiateInitialViewController() -> UIViewController? { controller(nil) }

  /// Returns a controller by name.
  open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
    controller(identifier) ?? UIViewController()
  }

  /// Returns the one that a function makes, else the first controller, else one of the class asked
  /// for; each coder is empty.
  public func instantiateInitialViewController<ViewController: UIViewController>(
    creator: ((NSCoder) -> ViewController?)? = nil
  ) -> ViewController? {
    controller(nil, creator)
  }

  /// Returns the one that a function makes, else a controller by name, else one of the class asked
  /// for; each coder is empty.
  ///
  /// - Precondition: There is one, or the class can be made of a coder.
  public func instantiateViewController<ViewController: UIViewController>(
    identifier: String, creator: ((NSCoder) -> ViewController?)? = nil
  ) -> ViewController {
    guard let made = controller(identifier, creator) else {
      preconditionFailure(
        "expected what the storyboard \(name) makes for \(identifier): a \(ViewController.self)")
    }
    return made
  }

  private func controller<ViewController: UIViewController>(
    _ identifier: String?, _ creator: ((NSCoder) -> ViewController?)? = nil
  ) -> ViewController? {
    let controller = creator?(NSCoder()) ?? registered(identifier) ?? plain()
    controller?.storyboard = self
    return controller
  }

  private func registered<ViewController: UIViewController>(
    _ identifier: String?
  ) -> ViewController? {
    let controllers = UIApplication.current?.program.controllers
    let make = controllers?[UIKitProgram.StoryboardPlace(name, identifier)]
    guard let made = make?() else { return nil }
    if let made = made as? ViewController { return made }
    Faults.note(
      "UIStoryboard \(name): expected a \(ViewController.self), found a \(type(of: made))")
    return nil
  }

  private func plain<ViewController: UIViewController>() -> ViewController? {
    Notices.say("UIStoryboard", "\(name) is not read: it makes plain controllers")
    return ViewController(coder: NSCoder())
  }
}
