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
      _ = try? await application.commands.update(session, .untouched) {
        $0.details.isLocked = false
      }
    }
  }

  /// Submits what ``unlock()`` does.
  package func submitUnlock() {
    for session in takeLocked() {
      application.process.submitUpdate(of: session, needsState: false) {
        $0.details.isLocked = false
      }
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
