// SPDX-License-Identifier: Apache-2.0

/// How far an application is, as admission sees it.
enum ApplicationPhase: Sendable {
  /// `run()` has not begun.
  case idle
  /// `run()` has not come to the point where requests are taken.
  case launching
  case running
  /// Only what frees resources still passes, so that the application comes to an end.
  case closing
  case ended

  /// Checks that a command may pass.
  ///
  /// - Throws: `notRunning`.
  func check(_ command: Command) throws(SceneError) {
    switch self {
    case .running: return
    case .closing where !command.isNewWork: return
    case .idle, .launching, .closing, .ended: throw SceneError.notRunning
    }
  }
}
