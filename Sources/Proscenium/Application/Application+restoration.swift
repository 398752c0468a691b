// SPDX-License-Identifier: Apache-2.0

// The restoration of the program's own state (semantics#the-application).
extension Application {
  /// Says that the program is restoring state of its own, which a crash would show to be bad.
  ///
  /// For work that ``completeStateRestoration()`` ends; calls are counted and must balance. If the
  /// process ends in between without having ended in order, the next launch drops the saved state
  /// of all sessions, since the program could not be brought back with it; the sessions stay.
  /// Scenes are not held up by it: that is ``Scene/extendStateRestoration()``.
  public func extendStateRestoration() {
    restorations += 1
    if restorations == 1 { core.writer.setRestoring(true) }
  }

  /// Says that the program has restored its state.
  ///
  /// A call without a matching ``extendStateRestoration()`` does nothing.
  public func completeStateRestoration() {
    guard restorations > 0 else { return }
    restorations -= 1
    if restorations == 0 { core.writer.setRestoring(false) }
  }
}
