// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The lines between a session and its clients, shared by its scenes and by who serves the clients.
///
/// It lasts longer than a scene: a scene that is disconnected for a while costs no client its line.
final class SessionLine: Sendable {
  private struct State: Sendable {
    var ledger: LineLedger
    /// The tasks that wait for output, by line.
    var sleepers: [UInt64: Sleeper] = [:]
    /// What is called once a line has output.
    var listeners: [Listener] = []

    mutating func takeSleepers() -> [Sleeper] {
      if sleepers.isEmpty { return [] }
      defer { sleepers = [:] }
      return sleepers.sorted { $0.key < $1.key }.map(\.value)
    }

    mutating func takeListeners() -> [Listener] {
      if listeners.isEmpty { return [] }
      let due = listeners.filter { ledger.next($0.line) != nil }
      if !due.isEmpty { listeners.removeAll { ledger.next($0.line) != nil } }
      return due
    }
  }

  private struct Listener: Sendable {
    let line: UInt64
    let notify: @Sendable () -> Void
  }

  let session: SessionIdentifier
  let epoch: UInt64
  let rules: ClientRules
  private let state: Guarded<State>

  init(_ session: SessionIdentifier, epoch: UInt64, _ rules: ClientRules) {
    self.session = session
    self.rules = rules
    self.epoch = epoch
    state = Guarded(State(ledger: LineLedger(epoch: epoch, limit: rules.outputLimit)))
  }

  /// Makes the lines of a session that another process has handed over.
  init(_ line: HandedOverLine, epoch: UInt64, _ rules: ClientRules) {
    session = line.session
    self.rules = rules
    self.epoch = epoch
    state = Guarded(State(ledger: LineLedger(line, epoch: epoch, limit: rules.outputLimit)))
  }

  /// Looks at the lines.
  func look<Result: Sendable>(_ body: (borrowing LineLedger) -> Result) -> Result {
    state.withLock { body($0.ledger) }
  }

  /// Changes the lines, and wakes whom it may concern.
  @discardableResult
  func change<Result: Sendable>(_ body: (inout LineLedger) -> Result) -> Result {
    let (result, sleepers, listeners) = state.withLock { state in
      let result = body(&state.ledger)
      return (result, state.takeSleepers(), state.takeListeners())
    }
    for sleeper in sleepers { sleeper.wake() }
    for listener in listeners { listener.notify() }
    return result
  }

  /// Takes what the client of a line gets next; if there is nothing, a function is called once when
  /// there is.
  func take(
    _ line: UInt64, orNotify notify: @escaping @Sendable () -> Void
  ) -> LineLedger.Output? {
    state.withLock { state in
      if let output = state.ledger.take(line) { return output }
      state.listeners.removeAll { $0.line == line }
      state.listeners.append(Listener(line: line, notify: notify))
      return nil
    }
  }

  /// Waits for what the client of a line gets next.
  ///
  /// - Returns: The output; nil if the task was cancelled, or if another one waits already.
  func next(_ line: UInt64) async -> LineLedger.Output? {
    while !Task.isCancelled {
      var output: LineLedger.Output?
      var isFirst = true
      await withTaskCancellationHandler {
        await Sleeper.sleep { sleeper in
          state.withLock { state in
            output = state.ledger.take(line)
            isFirst = state.sleepers[line] == nil
            guard output == nil, isFirst, !Task.isCancelled else { return false }
            state.sleepers[line] = sleeper
            return true
          }
        }
      } onCancel: {
        state.withLock { $0.sleepers.removeValue(forKey: line) }?.wake()
      }
      if output != nil || !isFirst { return output }
    }
    return nil
  }
}

extension ClientRules {
  fileprivate var outputLimit: OutputBuffer.Limit {
    OutputBuffer.Limit(frames: frameLimit, bytes: frameByteLimit)
  }
}
