// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// Where each session is: its shard, its slot there, and its entry.
///
/// It knows the mailboxes of the shards, not the shards.
final class SessionDirectory: Sendable {
  let shardBits: Int
  let mailboxes: [ShardMailbox]
  let catalog: ConfigurationCatalog
  let states: StoredStates
  let elsewhere: (@Sendable (SessionIdentifier) -> SceneError?)?

  /// - Parameters:
  ///   - shardBits: How many bits of a handle are its shard's.
  ///   - catalog: The configurations.
  ///   - states: Where the saved states are that are not in memory.
  ///   - elsewhere: Tells why a session is not open here, if another process has it.
  init(
    shardBits: Int, catalog: ConfigurationCatalog, states: StoredStates,
    elsewhere: (@Sendable (SessionIdentifier) -> SceneError?)? = nil
  ) {
    self.shardBits = shardBits
    self.catalog = catalog
    self.states = states
    self.elsewhere = elsewhere
    mailboxes = (0..<1 << shardBits).map { _ in ShardMailbox() }
  }

  func mailbox(_ handle: SessionHandle) -> ShardMailbox {
    mailboxes[handle.shard(shardBits)]
  }

  /// The mailbox in whose directory an identifier is.
  func home(_ spread: UInt64) -> Int {
    Int(spread >> 32) & (mailboxes.count - 1)
  }

  /// Finds the session that an identifier names.
  ///
  /// The directory has a session from the moment in which it is made until its discard was told,
  /// which is longer than either view has it.
  func find(
    _ identifier: SessionIdentifier, in view: SessionView = .admitted
  ) -> SessionHandle? {
    let spread = identifier.spread
    let home = home(spread)
    var others: [SessionHandle] = []
    while true {
      let found = mailboxes[home].state.withLock { state in
        state.directory.find(spread) { number in
          let handle = SessionHandle(rawValue: number)
          guard handle.shard(shardBits) == home else { return !others.contains(handle) }
          let slot = handle.slot(shardBits)
          return state.entries[slot].identifier == identifier && state.entries[slot].isIn(view)
        }
      }
      guard let found = found.map(SessionHandle.init(rawValue:)) else { return nil }
      if found.shard(shardBits) == home || has(found, identifier, in: view) { return found }
      // One of another shard with an equal hash, or one whose end is near: look behind it.
      others.append(found)
    }
  }

  /// Finds a session that a request names.
  ///
  /// - Throws: `sessionNotOpen`, or why another process has it.
  func require(_ session: SessionIdentifier) throws(SceneError) -> SessionHandle {
    guard let handle = find(session) else { throw notOpen(session) }
    return handle
  }

  /// Whether what is sent to a session can be taken.
  func isOpen(_ session: SessionIdentifier) -> Bool {
    guard let handle = find(session) else { return false }
    return mailbox(handle).state.withLock { state in
      let entry = state.entries[handle.slot(shardBits)]
      return entry.identifier == session && entry.isIn(.admitted) && !state.isClosed
    }
  }

  /// Why a session that was not found is not open here.
  func notOpen(_ session: SessionIdentifier) -> SceneError {
    elsewhere?(session)
      ?? SceneError(
        .sessionNotOpen, session: session, "the session is not open, or is about to end")
  }

  private func has(
    _ handle: SessionHandle, _ identifier: SessionIdentifier, in view: SessionView
  ) -> Bool {
    let slot = handle.slot(shardBits)
    return mailbox(handle).state.withLock { state in
      state.entries[slot].identifier == identifier && state.entries[slot].isIn(view)
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
      configuration: catalog.configuration(entry.configuration), details: entry.details,
      stored: entry.flags[.isStateStored] ? states : nil,
      hasPendingRefresh: entry.flags[.hasPendingRefresh])
  }

  func session(_ handle: SessionHandle) -> SceneSession {
    session(entry(handle))
  }

  /// Enters a session under its identifier.
  func enter(_ entry: ShardMailbox.Entry, _ handle: SessionHandle) {
    let slot = handle.slot(shardBits)
    let shard = handle.shard(shardBits)
    let spread = entry.identifier.spread
    let home = home(spread)
    mailboxes[shard].state.withLock { state in
      state.put(entry, slot)
      if shard == home { state.directory.insert(handle.rawValue, spread) }
    }
    if shard == home { return }
    mailboxes[home].state.withLock { $0.directory.insert(handle.rawValue, spread) }
  }

  /// Forgets a session that is in neither view any more: its identifier names nothing from now on.
  func erase(_ identifier: SessionIdentifier, _ handle: SessionHandle) {
    let spread = identifier.spread
    mailboxes[home(spread)].state.withLock { $0.directory.remove(handle.rawValue, spread) }
    mailbox(handle).state.withLock { $0.put(ShardMailbox.Entry(), handle.slot(shardBits)) }
  }

  /// Lets a lane go on that waits for an answer.
  func releaseLane(_ handle: SessionHandle) {
    mailbox(handle).post(ShardItem(slot: Int32(handle.slot(shardBits)), work: .release))
  }

  /// The entries of all sessions, also of those that are not open.
  var entries: SessionEntries { SessionEntries(mailboxes: mailboxes) }

  /// The entry of an open session in the visible view.
  func visibleEntry(_ identifier: SessionIdentifier) -> ShardMailbox.Entry? {
    guard let handle = find(identifier, in: .visible) else { return nil }
    let entry = entry(handle)
    // Unless it has gone since, and its slot is another one's.
    return entry.identifier == identifier && entry.flags[.isVisible] ? entry : nil
  }

  func group(_ handle: SessionHandle) -> SceneGroup? {
    mailbox(handle).state.withLock { $0.entries[handle.slot(shardBits)].details.group }
  }

  /// Whether nothing makes a scene for a session any more, and no delegate is asked what could
  /// (R-CFG-6).
  func isUnresolvable(_ handle: SessionHandle, asksConfiguration: Bool) -> Bool {
    mailbox(handle).state.withLock { state in
      let entry = state.entries[handle.slot(shardBits)]
      return entry.flags[.isUnresolvable] && !(asksConfiguration && entry.flags[.isToBeAsked])
    }
  }

  /// The question that the application delegate is to be asked before an open session connects
  /// for the first time in this run (R-CON-1).
  func takeQuestion(_ handle: SessionHandle, _ event: SceneEvent?) -> ConfigurationQuestion? {
    let slot = handle.slot(shardBits)
    let entry = mailbox(handle).state.withLock { state -> ShardMailbox.Entry? in
      guard state.entries[slot].flags[.isToBeAsked] else { return nil }
      state.entries[slot].flags[.isToBeAsked] = false
      return state.entries[slot]
    }
    return entry.map {
      ConfigurationQuestion(
        session: session($0), options: Scene.ConnectionOptions(event), isFirst: false)
    }
  }

  /// Notes whether messages for a session may go to its scene without passing the gate.
  func setConnected(_ handle: SessionHandle, _ isConnected: Bool) {
    mailbox(handle).state.withLock {
      $0.entries[handle.slot(shardBits)].flags[.isConnected] = isConnected
    }
  }

  /// Makes the identifier of a new session.
  ///
  /// - Parameters:
  ///   - source: What makes identifiers.
  ///   - place: Brings one to where the session is to be.
  /// - Returns: One that no session has.
  /// - Throws: What `place` throws.
  func newIdentifier(
    from source: SessionIdentifierSource,
    _ place: (SessionIdentifier) throws(SceneError) -> SessionIdentifier
  ) throws(SceneError) -> SessionIdentifier {
    while true {
      let identifier = try place(source.next())
      if find(identifier, in: .any) == nil { return identifier }
    }
  }

  /// Whether one of the session's destruction conditions has come true (R-DC-1).
  func isDestroyed(
    _ handle: SessionHandle, by condition: Scene.DestructionCondition
  ) -> Bool {
    mailbox(handle).state.withLock {
      $0.entries[handle.slot(shardBits)].isDestroyed(by: condition)
    }
  }

  /// How many sessions the shards have connected again.
  func countReconnections() -> Int {
    mailboxes.reduce(0) {
      $0 + $1.finishedReconnections.load(ordering: .sequentiallyConsistent)
    }
  }
}

/// The entries of all shards, read a page at a time under the shard's lock.
struct SessionEntries: Sequence {
  let mailboxes: [ShardMailbox]

  func makeIterator() -> Iterator {
    Iterator(mailboxes: mailboxes[...])
  }

  struct Iterator: IteratorProtocol, Sendable {
    var mailboxes: ArraySlice<ShardMailbox>
    private var page: [ShardMailbox.Entry] = []
    private var position = 0
    private var nextSlot = 0

    init(mailboxes: ArraySlice<ShardMailbox>) {
      self.mailboxes = mailboxes
    }

    mutating func next() -> ShardMailbox.Entry? {
      while position == page.count {
        guard let mailbox = mailboxes.first else { return nil }
        let slot = nextSlot
        page = mailbox.state.withLock { state in
          (slot..<Swift.max(slot, Swift.min(slot + 256, state.entries.count)))
            .map { state.entries[$0] }
        }
        position = 0
        nextSlot += page.count
        if page.isEmpty {
          mailboxes = mailboxes.dropFirst()
          nextSlot = 0
        }
      }
      defer { position += 1 }
      return page[position]
    }
  }
}
