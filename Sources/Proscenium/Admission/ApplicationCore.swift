// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// What the application, its shards and its callers share.
///
/// It knows the mailboxes of the shards, not the shards, so that nothing here holds a scene.
final class ApplicationCore: Sendable {
  let settings: ApplicationSettings
  let shardBits: Int
  let mailboxes: [ShardMailbox]
  let gate: Guarded<Gate>
  /// The launch is over: set once, and read by every request without taking the gate.
  let isLaunched = Atomic<Bool>(false)
  let router: ContentRouter
  let residual: ResidualReport
  let catalog: ConfigurationCatalog
  let tally = ApplicationTally()
  let events: EventHub
  let writer: SessionWriter
  let applicationQueue = Inbox<ApplicationItem>()
  let hasApplicationDelegate: Bool
  let log: Logger

  init(
    manifest: SceneManifest, store: any SessionStore, settings: ApplicationSettings,
    hasApplicationDelegate: Bool, log: Logger
  ) {
    let settings = settings.inRange
    self.settings = settings
    let shardBits = settings.shardBits
    let mailboxes = (0..<1 << shardBits).map { _ in ShardMailbox() }
    self.shardBits = shardBits
    self.mailboxes = mailboxes
    router = ContentRouter(
      rules: RoutingRules(
        supportsMultipleScenes: manifest.supportsMultipleScenes,
        sessionQuota: settings.sessionQuota),
      shardBits: shardBits
    ) { handle in
      mailboxes[handle.shard(shardBits)].state.withLock {
        $0.entries[handle.slot(shardBits)].identifier
      }
    }
    gate = Guarded(
      Gate(
        ledger: SessionLedger(
          rules: SessionLedger.Rules(
            foregroundCapacity: settings.foregroundCapacity, sessionQuota: settings.sessionQuota,
            supportsMultipleScenes: manifest.supportsMultipleScenes, shardBits: shardBits)),
        onAdmission: settings.onAdmission))
    residual = ResidualReport(settings.metrics)
    catalog = ConfigurationCatalog(manifest)
    events = EventHub(clock: settings.clock)
    writer = SessionWriter(store, clock: settings.clock, log: log)
    self.hasApplicationDelegate = hasApplicationDelegate
    self.log = log
  }

  // MARK: - Finding sessions

  func mailbox(_ handle: SessionHandle) -> ShardMailbox {
    mailboxes[handle.shard(shardBits)]
  }

  /// The mailbox in whose directory an identifier stands.
  func home(_ spread: UInt64) -> Int {
    Int(spread >> 32) & (mailboxes.count - 1)
  }

  /// Finds the session that an identifier names in the admitted view.
  func find(_ identifier: SessionIdentifier) -> SessionHandle? {
    let spread = identifier.spread
    let home = home(spread)
    var others: [SessionHandle] = []
    while true {
      let found = mailboxes[home].state.withLock { state in
        state.directory.find(spread) { handle in
          guard handle.shard(shardBits) == home else { return !others.contains(handle) }
          return state.entries[handle.slot(shardBits)].identifier == identifier
        }
      }
      guard let found else { return nil }
      if found.shard(shardBits) == home || self.identifier(found) == identifier { return found }
      // Two identifiers of other shards with equal hashes: look behind this one.
      others.append(found)
    }
  }

  func entry(_ handle: SessionHandle) -> ShardMailbox.Entry {
    mailbox(handle).state.withLock { $0.entries[handle.slot(shardBits)] }
  }

  func identifier(_ handle: SessionHandle) -> SessionIdentifier {
    mailbox(handle).state.withLock { $0.entries[handle.slot(shardBits)].identifier }
  }

  /// The session value of an entry.
  func session(_ entry: ShardMailbox.Entry) -> SceneSession {
    SceneSession(
      persistentIdentifier: entry.identifier,
      configuration: catalog.configuration(entry.configuration), details: entry.details)
  }

  func session(_ handle: SessionHandle) -> SceneSession {
    session(entry(handle))
  }

  /// Enters a session under its identifier.
  func enter(_ entry: ShardMailbox.Entry, _ handle: SessionHandle) {
    let slot = handle.slot(shardBits)
    mailbox(handle).state.withLock { state in
      if slot == state.entries.count {
        state.entries.append(entry)
      } else {
        state.entries[slot] = entry
      }
    }
    let spread = entry.identifier.spread
    mailboxes[home(spread)].state.withLock { $0.directory.insert(handle, spread) }
  }

  /// Takes a session out of the directory: from now on its identifier names nothing.
  func close(_ identifier: SessionIdentifier, _ handle: SessionHandle) {
    mailbox(handle).state.withLock { state in
      state.entries[handle.slot(shardBits)].isOpen = false
      state.entries[handle.slot(shardBits)].isConnected = false
    }
    let spread = identifier.spread
    mailboxes[home(spread)].state.withLock { $0.directory.remove(handle, spread) }
    router.remove(handle)
  }

  // MARK: - The end of a session

  /// Takes the last step of a discard, after everybody was told (R-DST-3).
  func finish(_ discard: Discard) {
    let handle = discard.handle
    mailbox(handle).state.withLock { state in
      state.entries[handle.slot(shardBits)] = ShardMailbox.Entry()
    }
    writer.write([SessionChange(session: discard.session.persistentIdentifier, kind: .remove)])
    free(handle)
    events.report(discard.session.persistentIdentifier, .discarded(discard.reason))
    discard.plan.succeed(discard.session)
  }

  /// Gives a session's slot back, as soon as nobody can be routing to it any more.
  func free(_ handle: SessionHandle) {
    let handles = router.retire(handle)
    if handles.isEmpty { return }
    gate.withLock { gate in
      for handle in handles { gate.ledger.free(handle) }
    }
  }
}

/// A session whose scene is gone and whose end is to be told.
struct Discard: Sendable {
  let session: SceneSession
  let handle: SessionHandle
  let reason: LifecycleEvent.Reason
  let plan: Plan
}
