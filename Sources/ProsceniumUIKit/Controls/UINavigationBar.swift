// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The bar above the controllers of a stack.
@MainActor
open class UINavigationBar: UIView {
  /// How it should look.
  open var standardAppearance = UINavigationBarAppearance()
  /// How it should look where there is little room.
  open var compactAppearance: UINavigationBarAppearance?
  /// How it should look where the content ends.
  open var scrollEdgeAppearance: UINavigationBarAppearance?
  /// Whether titles are large.
  open var prefersLargeTitles = false
  /// Whether something shines through.
  open var isTranslucent = true
  /// The colour behind it.
  open var barTintColor: UIColor?
  /// The attributes of the title.
  open var titleTextAttributes: [NSAttributedString.Key: Any]?
  /// The attributes of a large title.
  open var largeTitleTextAttributes: [NSAttributedString.Key: Any]?
  /// The image of the back button.
  open var backIndicatorImage: UIImage?
  /// The mask of that image.
  open var backIndicatorTransitionMaskImage: UIImage?

  /// Returns the proxy that holds how such bars should look.
  open override class func appearance() -> UINavigationBar { Proxies.of { UINavigationBar() } }
}
