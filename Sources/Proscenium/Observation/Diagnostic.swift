// SPDX-License-Identifier: Apache-2.0

import Logging

/// Something that the runtime did by a rule and that surprises people.
///
/// It is logged after the gate has been opened: a log handler is the host's code.
enum Diagnostic: Sendable {
  /// Section 3.3 (6): no session can show the content, and a new one is not possible.
  case forcedRoute(SessionIdentifier)
  /// R-CFG-3: nothing makes a delegate, so that the scene connects without one.
  case configurationNotFound(SceneConfiguration, SessionIdentifier)
  /// More different predicates than the settings expect have no text to be found by.
  case residualPredicates(Int)

  func log(to log: Logger) {
    switch self {
    case .forcedRoute(let session):
      log.notice("forcedRoute", metadata: ["session": "\(session)"])
    case .configurationNotFound(let configuration, let session):
      log.warning(
        "configurationNotFound",
        metadata: [
          "configuration": "\(configuration.name ?? "")",
          "role": "\(configuration.role.rawValue)",
          "session": "\(session)",
        ])
    case .residualPredicates(let count):
      log.warning("residualPredicates", metadata: ["count": "\(count)"])
    }
  }
}
