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
    controller(identifier)
  }

  /// Returns the one that a function makes, else the first controller if it is of the class asked
  /// for; the function's coder is empty.
  public func instantiateInitialViewController<ViewController: UIViewController>(
    creator: ((NSCoder) -> ViewController?)? = nil
  ) -> ViewController? {
    controller(nil, creator) as? ViewController
  }

  /// Returns the one that a function makes, else a controller by name; the function's coder is
  /// empty.
  open func instantiateViewController(
    identifier: String, creator: ((NSCoder) -> UIViewController?)? = nil
  ) -> UIViewController {
    controller(identifier, creator)
  }

  private func controller(
    _ identifier: String?, _ creator: ((NSCoder) -> UIViewController?)? = nil
  ) -> UIViewController {
    let controller = creator?(NSCoder()) ?? registered(identifier) ?? plain()
    controller.storyboard = self
    return controller
  }

  private func registered(_ identifier: String?) -> UIViewController? {
    let controllers = UIApplication.current?.program.controllers
    return controllers?[UIKitProgram.StoryboardPlace(name, identifier)]?()
  }

  private func plain() -> UIViewController {
    Notices.say("UIStoryboard", "\(name) is not read: it makes plain controllers")
    return UIViewController()
  }
}
