// SPDX-License-Identifier: Apache-2.0

// Scenes that go by a policy.
extension ApplicationHost {
  /// Has scenes disconnected by another policy from now on, or by none.
  ///
  /// Every connected scene then counts as used just now. It can be called at any time and from any
  /// thread; ``ApplicationSettings/disconnectionPolicy`` is what an application begins with.
  ///
  /// - Parameter policy: The policy; `nil` for none.
  public func setDisconnectionPolicy(_ policy: DisconnectionPolicy?) {
    application.core.setDisconnectionPolicy(policy)
  }
}

extension Application {
  /// What the ``DisconnectionPolicy`` has seen and done so far.
  public nonisolated var pressureReport: PressureReport {
    var report = core.pressure.report
    report.connectedScenes = connectedSceneCount
    return report
  }
}
