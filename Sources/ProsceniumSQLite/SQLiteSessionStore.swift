// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
public import Proscenium

/// A store in one SQLite file, for an application that runs on one machine.
///
/// Sessions are rows that any tool for SQLite can read; saved states are sealed. What was committed
/// survives the end of the process and of the machine at any instant. One store in one process owns
/// the file; the file `PATH.lock` stands beside it.
public final class SQLiteSessionStore: SessionStore {
  let parts: StoreParts
  private let queue: ConnectionQueue
  private let writer: Guarded<StoreWriter>
  private let checkpointing: Checkpointing
  private let lock: StoreLock

  /// Opens a store, and makes it if there is none.
  ///
  /// It reads and writes the file, and waits for it.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - key: Where the application key comes from. While it gives none, sessions can be read and
  ///     changed, but no saved state.
  ///   - options: What can be chosen.
  /// - Throws: `inUse` if another store has the file; `unusable` if it is no store, or has several
  ///   names; `newerVersion`; `wrongKey` if it is sealed with another key; `full` or `failed` if
  ///   the system refuses.
  public init(
    path: String, key: any KeyProvider, options: Options = Options()
  ) throws(StoreError) {
    let location = try StoreLocation(path)
    try location.requireOneName()
    lock = try StoreLock(location)
    // Before SQLite opens it: what is damaged in the log would be taken for its end.
    let lost = try LogScan.damage(in: location.path, readsIndex: true)
    let keyring = ApplicationKeyring(key, path: location.path)
    // A new key has to be on the disk before the first row.
    _ = try? keyring.ring()
    queue = try ConnectionQueue(location.path, label: "proscenium.store.writer")
    let (parts, writer) = try queue.wait { (connection) throws(StoreError) in
      let opening = StoreOpening(connection: connection, keyring: keyring, options: options)
      let opened = try opening.open(lost: lost)
      let mapped = MappedSegments(
        location.path, root: try StoreSchema.firstPage(of: "segment", on: connection))
      let parts = StoreParts(
        path: location.path, options: options, keyring: keyring, opening: opened.opening,
        mapped: mapped)
      return (parts, try StoreWriter(connection, parts, opened))
    }
    self.parts = parts
    self.writer = Guarded(writer)
    checkpointing = try Checkpointing(location.path)
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
    let loading = try await write { (writer) throws(StoreError) in
      LoadingUnderWay(try writer.beginLoad())
    }
    do {
      var rows = try await self.rows(loading)
      while let batches = rows {
        // The next ones are read while these are taken.
        async let next = self.rows(loading)
        for batch in batches { try receive(batch) }
        rows = try await next
      }
    } catch {
      try? await write { (_) throws(StoreError) in loading.state.withLock { $0.finalize() } }
      throw error
    }
    return try await write { (writer) throws(StoreError) in
      loading.state.withLock { writer.finishLoad(&$0) }
    }
  }

  private func rows(_ loading: LoadingUnderWay) async throws(StoreError) -> [[SessionRow]]? {
    try await write { (_) throws(StoreError) in
      try loading.state.withLock { (loading) throws(StoreError) in try loading.readSessions() }
    }
  }

  /// Applies changes, all or none, and returns when they are on the disk.
  ///
  /// - Parameter changes: In order.
  /// - Throws: `fenced` if a change comes from an earlier epoch; `full` or `failed` if the system
  ///   refuses. Nothing was changed then.
  public func commit(_ changes: [StoreChange]) async throws(StoreError) {
    try await write { (writer) throws(StoreError) in try writer.commit(changes) }
  }

  /// Notes that the program is restoring its state, or that it is no longer.
  ///
  /// - Parameter isRestoring: What the next load is to say.
  /// - Throws: `full` or `failed` if the system refuses.
  public func setRestoring(_ isRestoring: Bool) async throws(StoreError) {
    try await write { (writer) throws(StoreError) in try writer.setRestoring(isRestoring) }
  }

  /// Discards a session while no application uses the store; the next launch reports it (R-DST-4).
  ///
  /// Its key is destroyed, so that nobody can open its saved state any more. Copies of the file
  /// that were made before still have it.
  ///
  /// - Parameter session: The session; one that is not kept is ignored.
  /// - Throws: `damaged` if the session's row is damaged: its key is destroyed all the same, and it
  ///   is not reported; `full` or `failed` if the system refuses.
  public func discardWhileNotRunning(_ session: SessionIdentifier) async throws(StoreError) {
    try await discardWhileNotRunning([session])
  }

  /// Discards sessions, all or none, as the function for one does.
  ///
  /// For many sessions the store is better loaded before: without that, each is looked for.
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
    checkpointing.close()
    var refusal: StoreError?
    do throws(StoreError) {
      try await write { (writer) throws(StoreError) in try writer.close() }
    } catch {
      refusal = error
    }
    parts.recent.withLock { $0 = RecentSegments() }
    // No checkpoint comes behind the writer's end, which would let more be read.
    parts.mapped?.stop()
    // The connection ends also if the log could not be brought in.
    queue.close()
    parts.mapped?.close()
    lock.release()
    if let refusal { throw refusal }
  }

  deinit {
    parts.readers.close()
    checkpointing.close()
    writer.withLock { try? $0.close() }
  }

  /// What the store did since it was opened.
  package var statistics: StoreStatistics {
    writer.withLock { $0.statistics }
  }

  /// Runs work of the writer on its thread.
  func write<Success: Sendable>(
    _ work: @escaping @Sendable (inout StoreWriter) throws(StoreError) -> Success
  ) async throws(StoreError) -> Success {
    try await queue.run { () throws(StoreError) in
      try self.writer.withLock { (writer) throws(StoreError) in
        try writer.requireOpen()
        defer { if !writer.isClosed { self.follow(writer.lookAtLog(self.checkpointing)) } }
        return try work(&writer)
      }
    }
  }

  /// Does what the writer wishes done about the log.
  private func follow(_ wish: StoreWriter.LogWish) {
    switch wish {
    case .nothing: break
    case .bulk: checkpointing.begin { self.finishCheckpoint(truncates: false) }
    case .truncation: checkpointing.beginTruncation { self.finishCheckpoint(truncates: true) }
    }
  }

  private func finishCheckpoint(truncates: Bool) {
    queue.start {
      let wish = self.writer.withLock { writer -> StoreWriter.LogWish in
        guard (try? writer.requireOpen()) != nil else { return .nothing }
        writer.finishCheckpoint(truncates: truncates)
        return truncates && writer.logHasDestroyedKeys ? .truncation : .nothing
      }
      self.follow(wish)
    }
  }
}

/// A load between its steps, of which each is done on the writer's thread.
private final class LoadingUnderWay: Sendable {
  let state: Guarded<StoreLoading>

  init(_ loading: StoreLoading) {
    state = Guarded(loading)
  }
}
