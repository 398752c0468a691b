// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// The activation conditions of all open sessions, and who matches an identifier.
///
/// Most sessions keep the default, *can everything, prefer nothing*, and are not listed: whoever is
/// not here can show anything. Conditions are data: nothing here touches a scene, and a session
/// without one is matched like any other (R-RT-1).
struct PlainRouter: Sendable {
  private var conditions: [SessionHandle: SceneActivationConditions] = [:]

  /// Keeps the conditions of a session.
  mutating func set(_ handle: SessionHandle, _ new: SceneActivationConditions) {
    conditions[handle] = new == SceneActivationConditions() ? nil : new
  }

  /// Forgets a session.
  mutating func remove(_ handle: SessionHandle) {
    conditions[handle] = nil
  }

  /// Calls a function with each session that prefers an identifier, in no order.
  func forEachPreferring(_ identifier: String, _ body: (SessionHandle) -> Void) {
    for (handle, conditions) in conditions where conditions.prefers.evaluate(identifier) {
      body(handle)
    }
  }

  /// Tells whether a session can show an identifier.
  func can(_ handle: SessionHandle, _ identifier: String) -> Bool {
    conditions[handle].map { $0.can.evaluate(identifier) } ?? true
  }
}
