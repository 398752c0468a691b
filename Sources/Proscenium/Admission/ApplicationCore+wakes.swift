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
  /// They are not refused for load: their callers have long been told that they come.
  private func admitWake(
    _ handle: SessionHandle, by now: Int64
  ) -> Result<Admitted, SceneError>? {
    gate.withLock { gate in
      // What is due when the application ends, is due at the next launch.
      guard gate.phase == .running else { return .success(Admitted()) }
      let entry = directory.entry(handle)
      // R-SR-6: the unlock schedules it again.
      guard entry.flags[.isOpen], !entry.details.isLocked, let time = entry.details.nextWake,
        time <= now
      else { return .success(Admitted()) }
      guard !writer.isBehind, gate.work.hasRoom(directory.mailboxes) else { return nil }
      do throws(SceneError) {
        return .success(try gate.decide(.wake(entry.identifier), Reporting()))
      } catch {
        return .failure(error)
      }
    }
  }
}
