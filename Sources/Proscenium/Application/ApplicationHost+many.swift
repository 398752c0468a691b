// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// What concerns several sessions at once.
extension ApplicationHost {
  /// Protected data becomes unavailable until ``unlock()`` (R-SR-6).
  ///
  /// A session whose saved state the store cannot open is connected without it. What is in memory
  /// stays. ``ApplicationSettings/isProtectedDataAvailable`` is for a launch on a locked device.
  public func lock() {
    application.core.isLocked.store(true, ordering: .releasing)
  }

  /// Protected data becomes available: the sessions' saved activities are there again; no
  /// delegate is told.
  public func unlock() async {
    for session in takeLocked() {
      // One that has ended since has nothing to unlock.
      _ = try? await application.update(session, .untouched) {
        $0.details.isLocked = false
      }
    }
  }

  /// Submits what ``unlock()`` does.
  package func submitUnlock() {
    for session in takeLocked() {
      application.submitUpdate(of: session, needsState: false) { $0.details.isLocked = false }
    }
  }

  /// Says that protected data is available, and tells whose activity is still withheld.
  private func takeLocked() -> [SessionIdentifier] {
    let core = application.core
    core.isLocked.store(false, ordering: .releasing)
    return core.gate.withLock { gate in
      var locked: [SessionIdentifier] = []
      gate.ledger.forEachOpen { handle, _ in
        if core.directory.entry(handle).details.isLocked {
          locked.append(core.directory.identifier(handle))
        }
      }
      return locked
    }
  }

  /// Admits several commands in one step and leaves them to their shards.
  ///
  /// Nothing happens if the application is not running.
  func submitAll(_ choose: (borrowing Admitter) -> [Command]) {
    guard let all = try? application.core.admitAll(choose) else { return }
    for (admitted, _) in all {
      admitted.sleeper?.wake()
      if admitted.asksConfiguration { application.core.applicationQueue.ring() }
    }
  }

  /// Admits several commands in one step and waits until all of them have run.
  @discardableResult
  func performAll(
    _ choose: (borrowing Admitter) -> [Command]
  ) async throws(SceneError) -> [SceneSession] {
    await application.core.launched()
    let all = try application.core.admitAll(isAwaited: true, choose)
    // All of them first: one may wait for long, and nothing else would help the others on.
    for (admitted, _) in all {
      admitted.sleeper?.wake()
      guard let handle = admitted.handle else { continue }
      if admitted.asksConfiguration { await application.serveDelegate() }
      await application.shards[handle.shard(application.core.directory.shardBits)].drain()
      if admitted.tellsDiscard { await application.serveDelegate() }
    }
    var sessions: [SceneSession] = []
    for (admitted, ticket) in all {
      guard admitted.handle != nil, let ticket else { continue }
      // What fails by itself fails alone.
      if let session = try? await ticket.value() { sessions.append(session) }
    }
    return sessions
  }
}

extension ApplicationCore {
  /// Admits the commands that a choice comes to, in one step.
  ///
  /// - Throws: `notRunning`.
  func admitAll(
    isAwaited: Bool = false, _ choose: (borrowing Admitter) -> [Command]
  ) throws(SceneError) -> [(admitted: Admitted, ticket: SessionTicket?)] {
    let all = try gate.withLock { (gate) throws(SceneError) in
      guard gate.phase == .running else { throw Self.notRunning }
      var all: [(admitted: Admitted, ticket: SessionTicket?)] = []
      for command in choose(gate) {
        let ticket = isAwaited ? SessionTicket() : nil
        do throws(SceneError) {
          all.append(
            (
              try gate.decide(command, Reporting(ticket: ticket.map(RequestTicket.session))),
              ticket
            ))
        } catch {
          gate.record(.refused(error))
        }
      }
      return all
    }
    for admitted in all { report(admitted.admitted) }
    return all
  }
}
