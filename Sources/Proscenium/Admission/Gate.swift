// SPDX-License-Identifier: Apache-2.0

/// A request that was submitted before the launch.
struct EarlyRequest: Sendable {
  let command: Command
  let onFailure: (@Sendable (SceneError) -> Void)?
}

/// What stands behind the gate: the ledger, and whether anything may pass.
///
/// The gate is one short lock. Whoever holds it decides, and appends the plan to its shard's FIFO
/// before letting go: the order in which the gate was taken is the total order of requests.
struct Gate: Sendable {
  enum Phase: Sendable {
    /// `run()` has not begun.
    case idle
    /// `run()` has not come to the point where requests are taken.
    case launching
    case running
    /// Only what frees resources still passes, so that the application comes to an end.
    case closing
    case ended
  }

  var phase = Phase.idle
  var ledger: SessionLedger
  /// Whether the application delegate chooses configurations.
  var asksConfiguration = false
  /// Requests that were new work.
  var admittedWork = 0
  /// How many of them were finished when it was last looked at.
  var finishedWork = 0
  /// Requests that were submitted before the launch, in their order.
  var early: [EarlyRequest] = []
  /// Tasks that wait for the launch.
  var waiting: [Sleeper] = []
  /// Sessions that were discarded while the application was not running.
  var pendingDiscards: [SceneSession] = []
  var onAdmission: (@Sendable (AdmissionRecord) -> Void)?

  /// Whether requests still have to wait for the launch.
  var isEarly: Bool { phase == .idle || phase == .launching }

  func record(_ record: @autoclosure () -> AdmissionRecord) {
    onAdmission?(record())
  }
}
