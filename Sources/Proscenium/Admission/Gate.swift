// SPDX-License-Identifier: Apache-2.0

/// A request that was submitted before the launch.
struct EarlyRequest: Sendable {
  let command: Command
  let onFailure: (@Sendable (SceneError) -> Void)?
}

/// A task that waits for the launch.
struct LaunchWaiter: Sendable {
  /// What it is about, if it is about one session.
  let session: SessionIdentifier?
  let task: Sleeper
}

/// What stands behind the gate: the ledger, and whether anything may pass.
///
/// The gate is one short lock. Whoever holds it decides, and appends the plan to its shard's FIFO
/// before letting go: the order in which the gate was taken is the total order of requests.
struct Gate: ~Copyable, Sendable {
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

  /// How the application comes to its end.
  enum Ending: Sendable {
    /// Every scene is captured and disconnected, and the delegate is told.
    case orderly
    /// The last session was closed as UIKit does it: nobody is told.
    case left
    /// As if the process had been ended.
    case abandoned
  }

  var phase = Phase.idle
  /// Whether the launch came to its end, so that requests were taken.
  var hasOpened = false
  var ending = Ending.orderly
  var ledger: SessionLedger
  /// Requests that were new work.
  var admittedWork = 0
  /// How many of them were finished when it was last looked at.
  var finishedWork = 0
  /// Sessions that are being connected again, and who waits for that.
  var reconnections: ReconnectionQueue
  /// Requests that were submitted before the launch, in their order.
  var early: [EarlyRequest] = []
  /// Tasks that wait for the launch.
  var waiting: [LaunchWaiter] = []
  /// Sessions that ended while the application was not running, and why.
  var pendingDiscards: [(session: SceneSession, reason: LifecycleEvent.Reason)] = []
  /// Whether protected data is not available (R-SR-6).
  var isLocked = false
  /// Sessions that are to be refreshed when the host says so, in the order of their requests, and
  /// who waits for it.
  var pendingRefreshes: [(session: SessionHandle, tickets: [RequestTicket])] = []
  /// Which session was told that an activity of a type will follow (section 3.6).
  var handoffs: [String: SessionIdentifier] = [:]
  var onAdmission: (@Sendable (AdmissionRecord) -> Void)?

  /// Whether requests still have to wait for the launch.
  var isEarly: Bool { phase == .idle || phase == .launching }

  func record(_ record: @autoclosure () -> AdmissionRecord) {
    onAdmission?(record())
  }
}
