// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// What else only the asynchronous forms do, submitted without waiting: for tests that need several
// commands in flight together, in an order that they know.
extension Application {
  /// Whether the application has come to its end, so that ``run()`` returns by itself.
  package nonisolated var isEnding: Bool {
    core.gate.withLock { $0.phase == .closing || $0.phase == .ended }
  }

  /// How much is in flight.
  package struct QueueLoad: Sendable, Equatable {
    /// Requests that were new work and are unfinished.
    package var requests = 0
    /// Sessions that are being connected again, or have a turn for it.
    package var reconnections = 0
    /// How many wait for such a turn.
    package var waitingReconnections = 0
    /// Undelivered messages and calls of the shard that has most of them.
    package var messages = 0
    /// Lanes that have to wait.
    package var parkedLanes = 0
  }

  /// How much is in flight, each shard in a moment of its own.
  package nonisolated var queueLoad: QueueLoad {
    var load = core.gate.withLock { gate in
      QueueLoad(
        requests: gate.admittedWork,
        reconnections: gate.reconnections.admitted + gate.reconnections.turns,
        waitingReconnections: gate.reconnections.waitingCount)
    }
    for mailbox in core.directory.mailboxes {
      let (messages, lanes) = mailbox.state.withLock { ($0.eventCount, $0.parkedLanes) }
      load.requests -= mailbox.finishedWork.load(ordering: .relaxed)
      load.reconnections -= mailbox.finishedReconnections.load(ordering: .relaxed)
      load.messages = max(load.messages, messages)
      load.parkedLanes += lanes
    }
    return load
  }

  /// Submits a change of what a session holds, as ``updateSession(_:_:)`` makes it.
  package nonisolated func submitUpdate(
    of session: SessionIdentifier, needsState: Bool = true,
    onFailure: (@Sendable (SceneError) -> Void)? = nil,
    _ change: @escaping @Sendable (inout SceneSession) -> Void
  ) {
    do throws(SceneError) {
      let handle = try core.update(
        session, SessionUpdate(ticket: nil, needsState ? .needed : .untouched, change))
      core.directory.mailbox(handle).ring()
    } catch {
      onFailure?(error)
    }
  }

  /// Takes notice of a clock that was moved: what is due by now takes its place in the order.
  package nonisolated func submitTime() {
    core.postDeadlines()
    core.lookAtPressure()
    core.postWakes()
  }

  /// Gives a session a place among those that became active, as if that had happened.
  ///
  /// - Parameters:
  ///   - counter: The activation counter's value; at most the largest one that there was.
  ///   - session: The session; one that is not open is ignored.
  package nonisolated func seed(lastActivated counter: UInt64, of session: SessionIdentifier) {
    guard let handle = core.directory.find(session) else { return }
    core.gate.withLock { gate in
      gate.ledger[handle].lastActivated = counter
      gate.rank(handle)
    }
    core.writer.write(.activate(lastActivated: counter), of: session)
  }
}
