// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// Wakes that are due take their place in the order of all requests.
extension ApplicationCore {
  /// How long what is due waits, if no more requests may be unfinished.
  static let wakePause = Duration.milliseconds(10)

  /// Admits what is due, as far as there is room; nothing before the launch is over, or once the
  /// application ends.
  ///
  /// - Returns: Whether nothing is left that is due.
  @discardableResult
  func postWakes() -> Bool {
    guard isLaunched else { return true }
    let (results, isAll) = wakes.takeDue { handle, now in admitWake(handle, by: now) }
    for result in results {
      switch result {
      case .success(let admitted):
        admitted.sleeper?.wake()
        if admitted.asksConfiguration { applicationQueue.ring() }
      case .failure(let error): events.report(error.session, .failed(error))
      }
    }
    return isAll
  }

  /// Admits the wakes of a session, or returns nil if they have to wait for room.
  ///
  /// Nobody refuses them for load: whoever asked for them has long been told that they come.
  private func admitWake(
    _ handle: SessionHandle, by now: Int64
  ) -> Result<Admitted, SceneError>? {
    gate.withLock { gate in
      // What is due when the application ends, is due at the next launch.
      guard gate.phase == .running else { return .success(Admitted()) }
      let entry = entry(handle)
      // R-SR-6: the unlock schedules it once more.
      guard entry.isOpen, !entry.details.isLocked, let time = entry.details.nextWake, time <= now
      else { return .success(Admitted()) }
      guard !writer.isBehind, hasRoom(&gate) else { return nil }
      do throws(SceneError) {
        return .success(try decide(.wake(entry.identifier), Reporting(), &gate))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Brings what is due to a session's scene, where it is; without one it is connected in the
  /// background first.
  func wake(
    _ session: SessionIdentifier, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    guard gate.ledger[handle].state == .archived else {
      gate.record(.woken(session))
      return admitUnchanged(.wake, handle, reporting, &gate)
    }
    let admitted = try connect(session, reporting, &gate, delivery: .wake)
    gate.record(.woken(session))
    return admitted
  }
}
