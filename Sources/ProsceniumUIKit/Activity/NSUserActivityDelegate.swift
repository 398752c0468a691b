// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What is told of an activity before it is saved, and of its continuation.
public protocol NSUserActivityDelegate: NSObjectProtocol {
  /// Tells the delegate that the activity is about to be saved (R-BG-1).
  func userActivityWillSave(_ userActivity: NSUserActivity)

  /// Tells the delegate that the activity was continued on another device.
  func userActivityWasContinued(_ userActivity: NSUserActivity)
}

extension NSUserActivityDelegate {
  /// Does nothing.
  public func userActivityWillSave(_ userActivity: NSUserActivity) {}

  /// Does nothing.
  public func userActivityWasContinued(_ userActivity: NSUserActivity) {}
}
