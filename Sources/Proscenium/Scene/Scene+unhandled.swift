// SPDX-License-Identifier: Apache-2.0

extension Scene {
  /// Tells that the delegate does not have the method that was just called.
  ///
  /// For a delegate that has all methods and decides at run time which of them it has; the default
  /// implementations say the same.
  package func leaveUnhandled() {
    isUnhandled = true
  }
}
