// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Reads saved states that are in the store only: those of sessions without a scene.
///
/// A store in memory answers at once. Any other is asked in batches by the reader's task, while the
/// shards go on (decision 0017).
final class StoredStates: Sendable {
  /// How many states are asked for at once.
  static let batchLimit = 256

  /// A state that a shard waits for.
  struct Question: Sendable {
    let session: SessionIdentifier
    let handle: SessionHandle
    /// Tells the question from earlier ones of the same slot.
    let number: UInt32
  }

  private struct State: Sendable {
    /// How many questions have no answer yet.
    var unanswered = 0
    var waiting: [Sleeper] = []
  }

  private let store: any SessionStore
  private let immediate: InMemorySessionStore?
  private let migrations: StateMigrations
  private let inbox = Inbox<Question>()
  private let state = Guarded(State())

  init(_ store: any SessionStore, _ migrations: StateMigrations) {
    self.store = store
    immediate = store as? InMemorySessionStore
    self.migrations = migrations
  }

  /// Reads a saved state from a store in memory, and brings it up to this version of the program.
  ///
  /// - Returns: The state; `nil` if the store is not in memory.
  /// - Throws: `stateUnreadable`, or `stateUnavailable` if there is no key now. What is kept stays
  ///   as it is.
  func readAtOnce(_ session: SessionIdentifier) throws(SceneError) -> RestoredState? {
    guard let immediate else { return nil }
    return try restored(.success(immediate.savedState(of: session)), session)
  }

  /// Reads a saved state for a caller that waits for it.
  ///
  /// - Throws: As ``readAtOnce(_:)``.
  func read(_ session: SessionIdentifier) async throws(SceneError) -> RestoredState {
    let read: Result<[UInt8]?, StoreError>
    do throws(StoreError) {
      read = .success(try await store.readState(of: session))
    } catch {
      read = .failure(error)
    }
    return try restored(read, session)
  }

  /// Reads the saved states of any number of sessions, batch by batch.
  ///
  /// - Parameters:
  ///   - sessions: The sessions.
  ///   - receive: Given each answer once, in the order in which they come.
  func read(
    _ sessions: [SessionIdentifier],
    _ receive: (SessionIdentifier, Result<RestoredState, SceneError>) -> Void
  ) async {
    var left = sessions[...]
    while !left.isEmpty {
      let batch = Array(left.prefix(Self.batchLimit))
      let answers = await store.savedStates(of: batch)
      var unanswered: [SessionIdentifier] = []
      for session in batch {
        if let answer = answers[session] {
          receive(session, result(answer, session))
        } else if answers.isEmpty {
          receive(session, result(.failure(Self.noAnswer), session))
        } else {
          unanswered.append(session)
        }
      }
      left = unanswered + left.dropFirst(batch.count)
    }
  }

  // MARK: - The reader's task

  /// Asks for a state.
  func ask(_ questions: [Question]) {
    state.withLock { $0.unanswered += questions.count }
    inbox.post(questions)
  }

  /// Answers questions until the reader is closed.
  ///
  /// - Parameter answer: Given each question once with its answer.
  func serve(_ answer: (Question, Result<RestoredState, SceneError>) -> Void) async {
    while await inbox.waitForWork() {
      var waiting: [SessionIdentifier: [Question]] = [:]
      var order: [SessionIdentifier] = []
      for question in inbox.take() {
        if waiting[question.session] == nil { order.append(question.session) }
        waiting[question.session, default: []].append(question)
      }
      await read(order) { session, state in
        let questions = waiting.removeValue(forKey: session) ?? []
        for question in questions { answer(question, state) }
        finish(questions.count)
      }
    }
  }

  /// Waits until every question that was asked is answered.
  func settle() async {
    await Sleeper.sleep { sleeper in
      state.withLock { state in
        guard state.unanswered > 0 else { return false }
        state.waiting.append(sleeper)
        return true
      }
    }
  }

  /// Lets the reader's task end; what was not answered by then never is.
  func close() {
    inbox.close()
    finish(state.withLock { $0.unanswered })
  }

  private func finish(_ count: Int) {
    let sleepers = state.withLock { state -> [Sleeper] in
      state.unanswered = max(0, state.unanswered - count)
      guard state.unanswered == 0 else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for sleeper in sleepers { sleeper.wake() }
  }

  // MARK: - What was read

  private func result(
    _ read: Result<[UInt8]?, StoreError>, _ session: SessionIdentifier
  ) -> Result<RestoredState, SceneError> {
    do throws(SceneError) {
      return .success(try restored(read, session))
    } catch {
      return .failure(error)
    }
  }

  private func restored(
    _ read: Result<[UInt8]?, StoreError>, _ session: SessionIdentifier
  ) throws(SceneError) -> RestoredState {
    let bytes: [UInt8]?
    do throws(StoreError) {
      bytes = try read.get()
    } catch {
      let code: SceneError.Code =
        error.code == .keyUnavailable ? .stateUnavailable : .stateUnreadable
      throw SceneError(code, session: session, "\(error.code.rawValue): \(error.message)")
    }
    guard let bytes else { return RestoredState() }
    do throws(SavedStateError) {
      return try RestoredState(bytes, migrations)
    } catch {
      throw SceneError(.stateUnreadable, session: session, "\(error)")
    }
  }

  private static let noAnswer = StoreError(
    .failed, "expected the store to read at least one of the states that it was asked for")
}
