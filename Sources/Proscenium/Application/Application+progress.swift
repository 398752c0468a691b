// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// How far an application is, for tests and programs that drive it.
extension Application {
  /// Whether the application has come to its end, so that ``run()`` returns by itself.
  package nonisolated var isEnding: Bool {
    core.gate.withLock { $0.phase == .closing || $0.phase == .ended }
  }

  /// Whether the launch has restored the sessions; before, look-ups find none.
  package nonisolated var isRestored: Bool { core.stage.load(ordering: .acquiring) != .new }

  /// Whether ``run()`` has ended, or is about to without having been cancelled.
  package nonisolated var isOver: Bool {
    core.gate.withLock { $0.phase == .ended || $0.ending != .orderly }
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
        requests: gate.work.admitted,
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

  /// Counts the open sessions by the states of their scenes, without looking at them.
  ///
  /// It takes as long as there are shards. While scenes move, the counts are of moments that are
  /// close to one another, not of one.
  package nonisolated var census: SceneCensus {
    var census = SceneCensus()
    var connected = 0
    for mailbox in core.directory.mailboxes {
      census.active += mailbox.tally.active
      census.inactive += mailbox.tally.inactive
      census.background += mailbox.tally.background
      connected += mailbox.tally.connected
    }
    census.disconnected = max(openSessions.count - connected, 0)
    return census
  }
}
