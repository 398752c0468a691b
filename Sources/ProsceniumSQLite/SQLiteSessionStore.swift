// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import Proscenium
import ProsceniumPrimitives
@_exported public import ProsceniumSealing
@_exported public import ProsceniumStoring
import Synchronization

/// A store in one SQLite file, for an application that runs on one machine.
///
/// Sessions are rows that any tool for SQLite can read; saved states are sealed. What was committed
/// survives the end of the process and of the machine at any instant. One store in one process owns
/// the file; the file `PATH.lock` is next to it.
public final class SQLiteSessionStore: SessionStore {
  /// What can be chosen of a store.
  public typealias Options = StoreOptions

  let parts: StoreParts
  private let queue: ConnectionQueue
  private let writer: Guarded<StoreWriter>
  private let lock: StoreLock

  /// How many rows a load gives at once.
  private static let batch = 1_024

  /// Opens a store, and makes it if there is none.
  ///
  /// It reads and writes the file, and waits for it.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - key: Where the application key comes from. While it gives none, sessions can be read and
  ///     made, but not changed.
  ///   - options: What can be chosen.
  /// - Throws: `inUse` if another store has the file; `unusable` if it is no store, has several
  ///   names, or is of an older version, which `proscenium store upgrade` reads; `newerVersion`;
  ///   `wrongKey` if it is sealed with another key; `full` or `failed` if the system refuses.
  public init(
    path: String, key: any KeyProvider, options: Options = Options()
  ) throws(StoreError) {
    let location = try StoreLocation(path)
    try location.requireOneName()
    lock = try StoreLock(location)
    let keyring = ApplicationKeyring(key, path: location.path)
    // A new key has to be on the disk before the first row.
    _ = try? keyring.ring()
    queue = try ConnectionQueue(location.path, label: "proscenium.store.writer")
    let (parts, writer) = try queue.wait { (connection) throws(StoreError) in
      let opening = StoreOpening(connection: connection, keyring: keyring, options: options)
      let opened = try opening.open()
      let parts = StoreParts(path: location.path, options: options, keyring: keyring)
      return (parts, try StoreWriter(connection, parts, opened))
    }
    self.parts = parts
    self.writer = Guarded(writer)
  }

  /// The thread on which the store writes.
  public var executor: (any TaskExecutor)? { queue }

  /// Takes the store over and reads the rows of all sessions; a new epoch begins.
  ///
  /// - Parameter receive: Is given the rows.
  /// - Returns: The epoch, and what is wrong with the store as a whole.
  /// - Throws: What SQLite refuses, or what `receive` throws.
  public func load(
    _ receive: @escaping @Sendable ([SessionRow]) throws -> Void
  ) async throws -> StoreLoad {
    try await write { (writer) throws(StoreError) in try writer.beginLoad() }
    let place = Guarded<(next: Int64?, predicates: PredicateCache)>((.min, PredicateCache()))
    let read = { @Sendable (writer: inout StoreWriter) throws(StoreError) -> [SessionRow]? in
      try place.withLock { (place) throws(StoreError) in
        if place.next == nil { return nil }
        return try writer.readRows(from: &place.next, limit: Self.batch, &place.predicates)
      }
    }
    var rows = try await write(read)
    while let batch = rows {
      // The next ones are read while these are taken.
      async let next = write(read)
      if !batch.isEmpty { try receive(batch) }
      rows = try await next
    }
    return try await write { (writer) throws(StoreError) in writer.finishLoad() }
  }

  /// Applies changes, all or none of each session, and returns when they are on the disk.
  ///
  /// - Parameter changes: In order.
  /// - Returns: The sessions of which nothing was written, and why: `fenced` if a change comes from
  ///   an earlier epoch, `damaged` if what is kept of it is not what was written.
  /// - Throws: `keyUnavailable` if sessions change that have a key, and there is none now; `full`
  ///   or `failed` if the system refuses. Nothing was changed then.
  public func commit(
    _ changes: [StoreChange]
  ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
    try await write { (writer) throws(StoreError) in try writer.commit(changes) }
  }

  /// Notes that the program is restoring its state, or that it is no longer.
  ///
  /// - Parameter isRestoring: What the next load is to say.
  /// - Throws: `full` or `failed` if the system refuses.
  public func setRestoring(_ isRestoring: Bool) async throws(StoreError) {
    try await write { (writer) throws(StoreError) in try writer.setRestoring(isRestoring) }
  }

  /// Notes how long applications have run on the store.
  ///
  /// - Parameters:
  ///   - milliseconds: What the next load is to say.
  ///   - epoch: That of the application; nothing is noted in an earlier one than the store's.
  /// - Throws: `full` or `failed` if the system refuses.
  public func setRunningTime(_ milliseconds: Int64, epoch: UInt32) async throws(StoreError) {
    try await write { (writer) throws(StoreError) in
      try writer.setRunningTime(milliseconds, epoch: epoch)
    }
  }

  /// Discards a session while no application uses the store; the next launch reports it (R-DST-4).
  ///
  /// Its key is destroyed, so that its saved state cannot be opened any more. Copies of the file
  /// that were made before still have it.
  ///
  /// - Parameter session: The session; one that is not kept is ignored.
  /// - Throws: `full` or `failed` if the system refuses.
  public func discardWhileNotRunning(_ session: SessionIdentifier) async throws(StoreError) {
    try await discardWhileNotRunning([session])
  }

  /// Discards sessions, all or none, as the function for one does.
  ///
  /// - Parameter sessions: The sessions.
  /// - Throws: As the function for one does.
  public func discardWhileNotRunning(_ sessions: [SessionIdentifier]) async throws(StoreError) {
    try await write { (writer) throws(StoreError) in try writer.discard(sessions) }
  }

  /// Closes the store: brings everything into the one file, and gives the file back.
  ///
  /// Whatever is asked for afterwards throws. A store that is not closed gives the file back with
  /// its last reference, and loses nothing either.
  ///
  /// - Throws: `full` or `failed` if the system refuses; the store is closed all the same.
  public func close() async throws(StoreError) {
    parts.readers.close()
    var refusal: StoreError?
    do throws(StoreError) {
      try await write { (writer) throws(StoreError) in try writer.close() }
    } catch {
      refusal = error
    }
    // The connection ends also if the log could not be brought in.
    queue.close()
    lock.release()
    if let refusal { throw refusal }
  }

  deinit {
    parts.readers.close()
    writer.withLock { try? $0.close() }
  }

  /// Runs work of the writer on its thread.
  func write<Success: Sendable>(
    _ work: @escaping @Sendable (inout StoreWriter) throws(StoreError) -> Success
  ) async throws(StoreError) -> Success {
    try await queue.run { () throws(StoreError) in
      try self.writer.withLock { (writer) throws(StoreError) in
        try writer.requireOpen()
        let hadKeys = writer.logHasDestroyedKeys
        defer { if writer.logHasDestroyedKeys, !hadKeys { self.truncateLater() } }
        return try work(&writer)
      }
    }
  }

  /// Cuts the log off soon, because it holds destroyed keys.
  private func truncateLater() {
    queue.start(after: .seconds(1)) { [weak self] in
      guard let self else { return }
      let isDone = writer.withLock { writer in
        if (try? writer.requireOpen()) == nil { return true }
        let isDone = (try? writer.connection.checkpoint(.truncating)) ?? false
        writer.logHasDestroyedKeys = !isDone
        return isDone
      }
      if isDone { parts.options.didCutLog() } else { truncateLater() }
    }
  }
}

extension SQLiteSessionStore {
  /// The largest encoded state, 128 MiB.
  static let stateLimit = 128 << 20

  /// Seals an encoded state, so that it can be committed.
  ///
  /// - Parameters:
  ///   - state: The encoded state.
  ///   - session: The session; its insertion may be committed later.
  ///   - epoch: The epoch in which it is to be saved.
  /// - Returns: What a change brings.
  /// - Throws: `keyUnavailable` while there is no key; `limitExceeded` if the state is too large.
  public func seal(
    _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
  ) throws(StoreError) -> [UInt8] {
    guard state.byteCount <= Self.stateLimit else {
      throw StoreError(
        .limitExceeded, session: session,
        "expected a state of at most \(Self.stateLimit) bytes, found \(state.byteCount).")
    }
    try parts.requireLoaded()
    let seal = try parts.sealForNext(session)
    let count = parts.sealed.wrappingAdd(1, ordering: .relaxed).newValue
    guard epoch >> 24 == 0, count >> 40 == 0 else {
      throw StoreError(
        .limitExceeded, "\(parts.path): expected a store that was loaded and sealed less often.")
    }
    let place = RecordPlace(stateOf: session, version: UInt64(epoch) << 40 | count)
    return try StoreError.sealing(session) { () throws(SealingError) in
      try RecordSealer.seal(state, as: place, with: seal)
    }
  }

  /// Reads and opens the saved states of sessions.
  ///
  /// - Parameter sessions: The sessions.
  /// - Returns: For each session its encoded state, `nil` if nothing is kept, or an error:
  ///   `damaged` if the state, or what is in the open of the session, is not what was written;
  ///   `keyUnavailable` while there is no key. States of over 4 MiB together are left out.
  public func savedStates(
    of sessions: [SessionIdentifier]
  ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
    do throws(StoreError) {
      try parts.requireLoaded()
      return try parts.readers.withReader { (reader) throws(StoreError) in
        // One view of the file for all of them: each would be locked and looked at again.
        if sessions.count > 1 { try reader.connection.execute("BEGIN") }
        defer { if sessions.count > 1 { try? reader.connection.execute("COMMIT") } }
        return answers(of: sessions) { (session) throws(StoreError) in
          try state(of: session, reader)
        }
      }
    } catch {
      return Dictionary(uniqueKeysWithValues: Set(sessions).map { ($0, .failure(error)) })
    }
  }

  /// Reads and opens the saved state of one session.
  ///
  /// - Parameter session: The session.
  /// - Returns: Its encoded state, or `nil` if nothing is kept.
  /// - Throws: As ``savedStates(of:)`` answers.
  public func savedState(of session: SessionIdentifier) throws(StoreError) -> [UInt8]? {
    try parts.requireLoaded()
    return try parts.readers.withReader { (reader) throws(StoreError) in
      try state(of: session, reader)
    }
  }

  private func state(
    of session: SessionIdentifier, _ reader: StateReader
  ) throws(StoreError) -> [UInt8]? {
    let found = try StoreError.naming(session) { () throws(StoreError) in
      try reader.find(session, in: parts.keys.entry(of: session)?.mark?.number)
    }
    guard let found else { return nil }
    return try parts.open(found)
  }
}
