// SPDX-License-Identifier: Apache-2.0

/// Where sessions are kept while no process runs.
///
/// A store is loaded once, when the application is launched, and then receives changes in the order
/// in which they became true, session by session. It belongs to one application at a time: each
/// load begins a new *epoch*, and what an application of an earlier one still writes is refused.
public protocol SessionStore: Sendable {
  /// Takes the store over and reads the rows of all sessions; saved states stay where they are.
  ///
  /// - Parameter receive: Is given the rows, in any order, up to 1,024 at a time, before the
  ///   function returns. An error of it ends the load.
  /// - Returns: The epoch that begins, and what concerns the store as a whole.
  /// - Throws: A ``StoreError`` that keeps the store from being read, or what `receive` threw; the
  ///   launch fails with it.
  func load(_ receive: @escaping @Sendable ([SessionRow]) throws -> Void) async throws -> StoreLoad

  /// Makes of an encoded saved state the bytes that ``StoreChange/Kind/save(_:)`` will bring.
  ///
  /// It is called on the executor of the session's shard, by many shards at once, in the order in
  /// which the states of one session were captured; also before the session's insertion was
  /// committed. It must be short.
  ///
  /// - Parameters:
  ///   - state: What ``SavedState`` was encoded to.
  ///   - session: The session.
  ///   - epoch: The epoch in which it is to be saved.
  /// - Returns: The bytes, which only this store has to understand.
  /// - Throws: `keyUnavailable`, or whatever else keeps the state from being sealed. It is captured
  ///   again later; the last one that was saved stays.
  func seal(
    _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
  ) throws(StoreError) -> [UInt8]

  /// Applies changes, all or none of each session, and returns when they survive the end of the
  /// process and of the machine.
  ///
  /// - Parameter changes: In order; a later change of a session counts.
  /// - Returns: The sessions of which nothing was applied, and why: empty if everything was.
  ///   `fenced` for those of which a change comes from an earlier epoch; `damaged` for those whose
  ///   changes cannot be written because of what is kept of them: nothing of these is offered until
  ///   the next launch.
  /// - Throws: A ``StoreError``: then the changes of some sessions may have been applied, all or
  ///   none of each. The runtime offers all of them again, together with what came later, and
  ///   applying a change a second time must do no harm.
  func commit(
    _ changes: [StoreChange]
  ) async throws(StoreError) -> [SessionIdentifier: StoreError]

  /// Reads the saved states of sessions as they were last committed, encoded.
  ///
  /// One call is under way at a time, for sessions that are about to be connected or whose state is
  /// asked for. It is called on no shard's executor and may take its time: the shards go on, and
  /// only what needs one of these states waits.
  ///
  /// - Parameter sessions: At most 256.
  /// - Returns: For each session that was read either what ``SavedState`` was encoded to, `nil` if
  ///   no state is kept, or an error: `damaged`, `wrongKey` or `keyUnavailable` if the state cannot
  ///   be opened, and any other that keeps it from being read; never an older state instead. What
  ///   is kept stays as it is. Sessions may be left out, so that the states come to 4 MiB at most
  ///   or to one that is larger: they are asked for again.
  func savedStates(
    of sessions: [SessionIdentifier]
  ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>]

  /// Notes that the program is restoring its state, or that it is no longer
  /// (``Application/extendStateRestoration()``).
  ///
  /// - Parameter isRestoring: What ``StoreLoad/isRestoring`` is to be from now on.
  /// - Throws: A ``StoreError``; it is offered again with the next changes.
  func setRestoring(_ isRestoring: Bool) async throws(StoreError)

  /// Notes how long applications have run on the store so far: the time by which sessions end that
  /// no one uses (``ClientRules/expiry``).
  ///
  /// It is called only if sessions of some role end so, about once a minute.
  ///
  /// - Parameters:
  ///   - milliseconds: What ``StoreLoad/runningTime`` is to be from now on.
  ///   - epoch: That of the load which the writer's application began with; nothing is noted if
  ///     another one has begun since.
  /// - Throws: A ``StoreError``; it is offered again with the next changes.
  func setRunningTime(_ milliseconds: Int64, epoch: UInt32) async throws(StoreError)

  /// Where the task that commits runs, `nil` for the pool.
  ///
  /// A store that writes on a thread of its own gives it here, so that no thread has to wake
  /// another one before a commit and after it. ``ApplicationSettings/taskExecutor`` goes before it.
  var executor: (any TaskExecutor)? { get }
}

extension SessionStore {
  /// The pool.
  public var executor: (any TaskExecutor)? { nil }

  /// Reads the saved state of one session.
  ///
  /// - Parameter session: The session.
  /// - Returns: What ``SavedState`` was encoded to, or `nil` if nothing is kept.
  /// - Throws: What the store answers.
  package func readState(of session: SessionIdentifier) async throws(StoreError) -> [UInt8]? {
    guard let answer = await savedStates(of: [session])[session] else {
      throw StoreError(.failed, session: session, "expected the store to answer, and it did not")
    }
    return try answer.get()
  }

  /// Reads states one by one, up to 4 MiB.
  ///
  /// - Parameters:
  ///   - sessions: The sessions.
  ///   - read: Reads one.
  /// - Returns: What ``savedStates(of:)`` returns.
  package func answers(
    of sessions: [SessionIdentifier], _ read: (SessionIdentifier) throws(StoreError) -> [UInt8]?
  ) -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
    var answers: [SessionIdentifier: Result<[UInt8]?, StoreError>] = [:]
    var bytes = 0
    for session in sessions {
      do throws(StoreError) {
        let state = try read(session)
        bytes += state?.count ?? 0
        if bytes > 4 << 20, !answers.isEmpty { break }
        answers[session] = .success(state)
      } catch {
        answers[session] = .failure(error)
      }
    }
    return answers
  }
}

/// What loading a store comes to, besides the sessions.
public struct StoreLoad: Sendable {
  /// The epoch that has begun: greater than every earlier one of the store.
  public var epoch: UInt32

  /// Whether the last application ended while it was restoring its state: then the saved state is
  /// what it failed at, and is dropped.
  public var isRestoring: Bool

  /// How many milliseconds applications have run on the store so far, as it was last told.
  public var runningTime: Int64

  /// What is wrong with the store and concerns no session that was given.
  public var damage: [StoreError]

  /// Creates a value.
  ///
  /// - Parameters:
  ///   - epoch: The epoch that has begun.
  ///   - isRestoring: Whether the last application ended while it was restoring its state.
  ///   - runningTime: How many milliseconds applications have run on the store.
  ///   - damage: What is wrong with the store and concerns no session that was given.
  public init(
    epoch: UInt32, isRestoring: Bool = false, runningTime: Int64 = 0, damage: [StoreError] = []
  ) {
    self.epoch = epoch
    self.isRestoring = isRestoring
    self.runningTime = runningTime
    self.damage = damage
  }
}
