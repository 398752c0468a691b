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

/// What the admitter works with: each is safe to use without the gate.
struct AdmissionPorts: Sendable {
  let settings: ApplicationSettings
  let rules: SceneRules
  let directory: SessionDirectory
  let router: ContentRouter
  let writer: SnapshotWriter
  let applicationQueue: Inbox<ApplicationItem>
  let reconnectionBell: ReconnectionBell
}

/// Decides commands, one at a time: the state behind the gate.
///
/// The gate is one short lock. Its holder decides, and appends the plan to its shard's queue before
/// the lock is released: the order in which the gate was taken is the total order of requests.
struct Admitter: ~Copyable, Sendable {
  /// How the application comes to its end.
  enum Ending: Sendable {
    /// Every scene is captured and disconnected, and the delegate is told.
    case orderly
    /// The last session was closed as UIKit does it: no delegate is told.
    case left
    /// As if the process had been ended.
    case abandoned
  }

  let ports: AdmissionPorts
  var phase = ApplicationPhase.idle
  /// Whether the application delegate chooses configurations; set by the launch.
  var asksConfiguration = false
  /// Whether the launch came to its end, so that requests were taken.
  var hasOpened = false
  var ending = Ending.orderly
  var ledger: SessionLedger
  var work: AdmittedWork
  /// Sessions that are being connected again, and who waits for that.
  var reconnections: ReconnectionQueue
  /// Requests that were submitted before the launch, in their order.
  var early: [EarlyRequest] = []
  /// Tasks that wait for the launch.
  var waiting: [LaunchWaiter] = []
  /// Sessions that ended while the application was not running, and why.
  var pendingDiscards: [(session: SceneSession, reason: LifecycleEvent.Reason)] = []
  var pendingRefreshes: PendingRefreshes
  var handoffs = AnnouncedHandoffs()
  var onAdmission: (@Sendable (AdmissionRecord) -> Void)?

  var settings: ApplicationSettings { ports.settings }
  var rules: SceneRules { ports.rules }
  var directory: SessionDirectory { ports.directory }
  var catalog: ConfigurationCatalog { ports.directory.catalog }
  var router: ContentRouter { ports.router }
  var writer: SnapshotWriter { ports.writer }

  init(_ ports: AdmissionPorts) {
    let settings = ports.settings
    self.ports = ports
    ledger = SessionLedger(
      rules: SessionLedger.Rules(
        foregroundCapacity: settings.foregroundCapacity, sessionQuota: settings.sessionQuota,
        ownerQuota: settings.ownerQuota,
        supportsMultipleScenes: ports.directory.catalog.manifest.supportsMultipleScenes,
        shardBits: ports.directory.shardBits))
    reconnections = ReconnectionQueue(
      limit: settings.reconnectionLimit, rate: settings.reconnectionRate,
      waitingLimit: settings.reconnectionWaitingLimit, bell: ports.reconnectionBell)
    work = AdmittedWork(limit: settings.requestLimit)
    pendingRefreshes = PendingRefreshes(limit: settings.requestLimit)
    onAdmission = settings.onAdmission
  }

  /// Whether requests still have to wait for the launch.
  var isEarly: Bool { phase == .idle || phase == .launching }

  func record(_ record: @autoclosure () -> AdmissionRecord) {
    onAdmission?(record())
  }
}
