// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Logging
import Synchronization

// The beginning and the end: what passes the gate when.
extension ApplicationCore {
  /// Notes that the application is being run.
  ///
  /// - Throws: ``SceneError/Code/alreadyRun`` the second time.
  func beginLaunch() throws(SceneError) {
    try gate.withLock { (gate) throws(SceneError) in
      guard gate.phase == .idle else {
        throw SceneError(.alreadyRun, "an application runs once")
      }
      gate.phase = .launching
    }
  }

  /// Takes the store over and enters the sessions that it kept; their saved states stay in it.
  ///
  /// - Throws: The store's error, or `limitExceeded` for more configurations or roles than there
  ///   can be.
  func restore() async throws {
    try await StoreRestoration(core: self).run()
    reportResidualPredicates()
    gate.withLock { gate in
      // Unless it was abandoned in between.
      if gate.isEarly { stage.store(.restored, ordering: .releasing) }
    }
  }

  func takePendingDiscards() -> [(session: SceneSession, reason: LifecycleEvent.Reason)] {
    gate.withLock { gate in
      defer { gate.pendingDiscards = [] }
      return gate.pendingDiscards.sorted {
        $0.session.persistentIdentifier < $1.session.persistentIdentifier
      }
    }
  }

  /// Removes sessions that were discarded while nothing ran, after the delegate was told.
  func forget(_ discarded: [(session: SceneSession, reason: LifecycleEvent.Reason)]) {
    for gone in discarded { writer.write(.remove, of: gone.session.persistentIdentifier) }
    for (session, reason) in discarded {
      events.report(session.persistentIdentifier, .discarded(reason))
    }
  }

  /// Admits what the settings want a launch to connect (R-LCH-3) and what was submitted before, in
  /// this order and in one step, so that nothing that comes later can pass; then opens the gate.
  func openGate() {
    let opening = gate.withLock { gate in
      var opening = LaunchOpening(core: self)
      // Unless the process was killed in between.
      if gate.phase == .launching { opening.decide(&gate) }
      return opening
    }
    expiry?.open()
    opening.carryOut()
  }

  /// Refuses new work, and sends every scene to the background and away.
  func beginClosing() {
    let connected = gate.withLock { gate in
      gate.phase = .closing
      var all: [SessionIdentifier] = []
      gate.ledger.forEachOpen { handle, record in
        if record.state.isConnected { all.append(directory.identifier(handle)) }
      }
      return all.sorted()
    }
    for session in connected {
      // The ring takes the sleeping task, which has to be woken.
      try? admit(.background(session), Reporting()).sleeper?.wake()
      try? admit(.disconnect(session, .termination), Reporting()).sleeper?.wake()
    }
    refuseReconnections()
    abandonRestorations()
    neighbours?.close()
  }

  /// Ends extended restorations: what waits for them would wait for ever.
  func abandonRestorations() {
    for mailbox in directory.mailboxes {
      mailbox.post(ShardItem(slot: 0, work: .abandonRestorations))
    }
  }

  /// Ends the application as UIKit ends one whose last window was closed (R-DST-6).
  func leave() {
    gate.withLock { $0.ending = .left }
    shutdown.give()
  }

  /// Ends the application as if the process had been ended: no callback, nothing written.
  func abandon() {
    let wasEarly = gate.withLock { gate in
      defer { gate.phase = .ended }
      gate.ending = .abandoned
      return gate.isEarly
    }
    writer.abandon()
    neighbours?.close()
    shutdown.give()
    // Who waits for the launch waits for nothing any more; `run()` may never have begun.
    if wasEarly { end() }
  }

  /// Whether the application was ended as a process is killed: nothing may call the program any
  /// more.
  var isAbandoned: Bool { writer.isAbandoned }

  /// Refuses everything from here on.
  func end() {
    let (requests, tasks) = gate.withLock { gate in
      gate.phase = .ended
      stage.store(.ended, ordering: .releasing)
      // R-RF-6: a refresh does not survive the application.
      for refresh in gate.pendingRefreshes.all {
        gate.pendingRefreshes.drop(refresh.session, directory)
      }
      defer {
        gate.early = []
        gate.waiting = []
      }
      return (gate.early, gate.waiting)
    }
    refuseReconnections()
    for request in requests { request.onFailure?(SceneError.notRunning) }
    for waiter in tasks { waiter.task.wake() }
  }

  static let notRunning = SceneError(.notRunning, "the application is not running")

  /// Keeps a request until the launch; returns false if the launch is over.
  ///
  /// - Throws: ``SceneError/Code/systemBusy`` if as many are kept as may be unfinished.
  func keepUntilLaunch(_ request: EarlyRequest) throws(SceneError) -> Bool {
    if isLaunched { return false }
    return try gate.withLock { (gate) throws(SceneError) -> Bool in
      guard gate.isEarly else { return false }
      guard gate.early.count < settings.requestLimit else {
        throw SceneError(
          .systemBusy, "\(settings.requestLimit) requests wait for the launch; try again later")
      }
      gate.early.append(request)
      return true
    }
  }

  /// Returns when the launch is over.
  ///
  /// - Parameter session: What the caller is going to ask for: after a crash everybody waits for
  ///   the launch, and the most recently active sessions go first.
  func launched(for session: SessionIdentifier? = nil) async {
    if isLaunched { return }
    await Sleeper.sleep { sleeper in
      gate.withLock { gate in
        guard gate.isEarly else { return false }
        gate.waiting.append(LaunchWaiter(session: session, task: sleeper))
        return true
      }
    }
  }

  /// Whether the launch succeeded; asked when it is over.
  var hasOpened: Bool { gate.withLock { $0.hasOpened } }

  /// Whether anything is queued that can run now, and how often something was taken to be run.
  var progress: (isIdle: Bool, takes: Int) {
    var (isIdle, takes) = applicationQueue.progress
    for mailbox in directory.mailboxes {
      let queue = mailbox.state.withLock { (isEmpty: $0.queue.isEmpty, takes: $0.queue.takes) }
      isIdle = isIdle && (queue.isEmpty || !mayServe)
      takes &+= queue.takes
    }
    return (isIdle, takes)
  }
}
