// SPDX-License-Identifier: Apache-2.0

/// Tells the controllers of a view, and of the views in it, that they appear or disappear.
///
/// A controller appears when its view comes into a window that is shown, and disappears when it
/// leaves it, whatever brought that about. It is told before and after; a controller that was told
/// already is not told twice.
@MainActor
enum Visibility {
  /// Tells that the views are about to appear or disappear, the outer ones first.
  static func begin(_ appears: Bool, animated: Bool = false, _ view: UIView) {
    view.controller?.begin(appears, animated: animated)
    for view in view.subviews { begin(appears, animated: animated, view) }
  }

  /// Tells that they did.
  static func end(_ appears: Bool, _ view: UIView) {
    view.controller?.end(appears)
    for view in view.subviews { end(appears, view) }
  }
}
