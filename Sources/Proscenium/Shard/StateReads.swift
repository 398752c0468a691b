// SPDX-License-Identifier: Apache-2.0

/// The saved states that a shard waits for, by slot, and the updates that wait with them.
///
/// An answer counts only for the question that was asked last: a session that was given up or whose
/// state was dropped is not told what was read before.
struct StateReads {
  /// What was asked, and is not answered.
  struct Question {
    let number: UInt32
    /// Whether the session's lane waits for the answer.
    var parksLane: Bool
    /// Whether protected data was not available when the state was asked for.
    let whileLocked: Bool
  }

  private enum Read {
    case asked(Question)
    case failed(SceneError, whileLocked: Bool)
  }

  private var reads: [Int32: Read] = [:]
  private var updates: [Int32: [SessionUpdate]] = [:]
  private var lastNumber: UInt32 = 0
  /// What is to be asked after this pass.
  private var questions: [StoredStates.Question] = []
  /// The slots whose scenes go without a state that the store has (R-SR-6).
  var withheld: Set<Int32> = []

  /// Asks for a state, unless it has been asked for.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - handle: The session's.
  ///   - slot: The session's.
  ///   - parksLane: Whether the session's lane waits for the answer.
  ///   - isLocked: Whether protected data is not available.
  mutating func ask(
    _ session: SessionIdentifier, _ handle: SessionHandle, _ slot: Int32, parksLane: Bool,
    isLocked: Bool
  ) {
    if case .asked(var question)? = reads[slot] {
      question.parksLane = question.parksLane || parksLane
      return reads[slot] = .asked(question)
    }
    lastNumber &+= 1
    reads[slot] = .asked(
      Question(number: lastNumber, parksLane: parksLane, whileLocked: isLocked))
    questions.append(
      StoredStates.Question(session: session, handle: handle, number: lastNumber))
  }

  /// Takes what is to be asked now.
  mutating func takeQuestions() -> [StoredStates.Question] {
    guard !questions.isEmpty else { return [] }
    defer { questions = [] }
    return questions
  }

  /// Takes a question off the table.
  ///
  /// - Returns: The question; nil if its answer does not count any more.
  mutating func take(_ number: UInt32, _ slot: Int32) -> Question? {
    guard case .asked(let question)? = reads[slot], question.number == number else { return nil }
    reads[slot] = nil
    return question
  }

  /// Keeps an error for the item that needed the state.
  mutating func fail(_ slot: Int32, _ error: SceneError, whileLocked: Bool) {
    reads[slot] = .failed(error, whileLocked: whileLocked)
  }

  /// Whether the last question was answered with an error that is still to be taken.
  ///
  /// - Parameters:
  ///   - slot: The session's.
  ///   - isLocked: Whether protected data is not available now: what could not be read while it was
  ///     not, can be asked for again once it is.
  /// - Returns: Whether there is such an error.
  func hasFailed(_ slot: Int32, isLocked: @autoclosure () -> Bool) -> Bool {
    guard case .failed(_, let whileLocked)? = reads[slot] else { return false }
    return !whileLocked || isLocked()
  }

  /// Takes the error, if there is one: who needs the state next asks again.
  mutating func takeError(_ slot: Int32) -> SceneError? {
    guard !reads.isEmpty, case .failed(let error, _)? = reads[slot] else { return nil }
    reads[slot] = nil
    return error
  }

  /// Whether updates of a session wait for its state.
  func holdsUpdates(_ slot: Int32) -> Bool { !updates.isEmpty && updates[slot] != nil }

  /// Keeps an update until the state is there.
  mutating func hold(_ update: SessionUpdate, _ slot: Int32) {
    updates[slot, default: []].append(update)
  }

  /// Takes the updates that waited for a state, in their order.
  mutating func takeUpdates(_ slot: Int32) -> [SessionUpdate] {
    updates.isEmpty ? [] : updates.removeValue(forKey: slot) ?? []
  }

  /// Forgets what was asked for a session whose state is dropped: what the answer brings is over.
  ///
  /// - Returns: Whether the session's lane waits for the answer.
  mutating func forget(_ slot: Int32) -> Bool {
    guard !reads.isEmpty, case .asked(let question)? = reads.removeValue(forKey: slot) else {
      return false
    }
    return question.parksLane
  }

  /// Forgets what was asked for a session that is over; returns the updates that waited for it.
  mutating func giveUp(_ slot: Int32) -> [SessionUpdate] {
    if !reads.isEmpty { reads[slot] = nil }
    return takeUpdates(slot)
  }

  /// Empties the table; returns the updates that waited, by slot.
  mutating func removeAll() -> [SessionUpdate] {
    defer { self = StateReads() }
    return updates.sorted { $0.key < $1.key }.flatMap(\.value)
  }
}
