// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// What the store keeps of a session.
struct ModelRow: Hashable {
  var role: String
  var configuration: ModelConfiguration
  /// The identifier if the vector gave it; those that a runtime makes are unknown.
  var identifier: String?
  var lastActivated = 0
  var conditions = ModelConditions()
  var activity: ModelCapture?
  var userInfo: JSONValue?
}

/// An open session in memory.
struct ModelSession: Hashable {
  var row: ModelRow
  var scene: ModelScene?
  var hasPendingRefresh = false
  /// Whether its activity could not be read when it was loaded (R-SR-6).
  var waitsForUnlock = false
  /// Why it ends once its restoration is over: nothing more is decided about it.
  var end: ModelEnd?

  /// The state of the scene, unattached if there is none.
  var state: ModelState { scene?.state ?? .unattached }
}

/// An end that is decided and waits.
enum ModelEnd: Hashable {
  case close
  /// A request, with the reason that it gives.
  case request(String)
}

/// A connected scene.
struct ModelScene: Hashable {
  let number: Int
  let configuration: ModelConfiguration
  var state = ModelState.unattached
  /// How many extensions of the restoration are open.
  var extensions = 0
  /// When the first extension of the connection began.
  var extendedSince: Double?
  /// What follows when the restoration is complete.
  var held: ModelForegroundPlan?

  /// Whether a scene of it never becomes active.
  static func staysInactive(_ role: String) -> Bool {
    role == "windowExternalDisplayNonInteractive"
  }
}

/// The rest of a transition to the foreground (SEQ-FOREGROUND, R-SW-1).
struct ModelForegroundPlan: Hashable {
  /// What is delivered between the two callbacks.
  var payload: ModelPayload?
  /// The type of a hand-off that is announced once the scene is active.
  var announcement: String?
  /// The session whose scene gives way.
  var victim: ModelLabel?
  /// Whether it ends in the inactive state.
  var stopsInactive = false
}
