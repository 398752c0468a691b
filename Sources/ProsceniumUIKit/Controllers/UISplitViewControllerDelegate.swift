// SPDX-License-Identifier: Apache-2.0

/// What decides for a split view controller where there is little room.
///
/// Nothing asks it, since there is always room.
@MainActor
public protocol UISplitViewControllerDelegate: AnyObject {
  /// Says whether the second one is left out where there is little room.
  func splitViewController(
    _ splitViewController: UISplitViewController,
    collapseSecondary secondaryViewController: UIViewController,
    onto primaryViewController: UIViewController
  ) -> Bool

  /// Returns the column that is on top where there is little room.
  func splitViewController(
    _ svc: UISplitViewController,
    topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
  ) -> UISplitViewController.Column
}

extension UISplitViewControllerDelegate {
  /// Says no.
  public func splitViewController(
    _ splitViewController: UISplitViewController,
    collapseSecondary secondaryViewController: UIViewController,
    onto primaryViewController: UIViewController
  ) -> Bool { false }

  /// Returns the one proposed.
  public func splitViewController(
    _ svc: UISplitViewController,
    topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
  ) -> UISplitViewController.Column { proposedTopColumn }
}
