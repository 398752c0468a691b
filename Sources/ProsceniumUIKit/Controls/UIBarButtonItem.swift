// SPDX-License-Identifier: Apache-2.0

/// A button in a bar, which is never pressed.
@MainActor
open class UIBarButtonItem: UIBarItem {
  /// What it looks like.
  open var style = Style.plain
  /// The view in its place.
  open var customView: UIView?
  /// Its colour.
  open var tintColor: UIColor?

  /// Makes a button of a text and an image.
  public convenience init(title: String? = nil, image: UIImage? = nil) {
    self.init()
    self.title = title
    self.image = image
  }

  /// Makes a button of a view.
  public convenience init(customView: UIView) {
    self.init()
    self.customView = customView
  }

  /// What a button looks like.
  public enum Style: Int, Sendable {
    /// As usual.
    case plain
    /// As one that ends something.
    case done = 2
  }

  /// Returns the proxy that holds how buttons in bars should look.
  open class func appearance() -> UIBarButtonItem { Proxies.of { UIBarButtonItem() } }
}
