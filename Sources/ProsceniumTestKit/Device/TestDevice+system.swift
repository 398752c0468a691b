// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
public import Proscenium
import ProsceniumSimulation

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// What the system does to a device: time, refreshes, discards, protected data.
extension TestDevice {
  /// Waits until everything that was asked for has happened, in the process that runs.
  public func settle() async {
    await (try? application)?.settle()
  }

  /// Fulfils the refreshes that were requested, and waits until the scenes have been captured.
  ///
  /// - Throws: `notRunning`.
  public func tick() async throws {
    try await host.fulfilRefreshes()
    await settle()
  }

  /// Moves the clock, and waits until everything has happened that was due by then.
  ///
  /// A restoration that was extended and not completed within
  /// `ApplicationSettings.restorationLimit` ends.
  ///
  /// - Parameter duration: How far; zero or less moves nothing.
  public func advance(by duration: Duration) async {
    clock.advance(by: duration)
    await settle()
  }

  /// The date on the device, by which wakes are due.
  ///
  /// It moves with the clock, whether or not a process runs, and is 2026-01-01 00:00 UTC at first.
  public var date: Date { deviceDate.now }

  /// Sets the date as a user does, and not the clock by which tasks sleep; then waits until
  /// everything has happened that is due by it.
  ///
  /// - Parameter date: The date that it is from now on.
  public func setDate(_ date: Date) async {
    deviceDate.set(date)
    await settle()
  }

  /// The user closes a session while no process runs; the next launch tells the application
  /// delegate (R-DST-4).
  ///
  /// - Parameter session: The session; one that is not kept is ignored.
  /// - Throws: `alreadyRunning`.
  public func discardWhileDown(_ session: some SessionNaming) throws(TestDeviceError) {
    guard !isRunning else {
      throw TestDeviceError(
        .alreadyRunning, session: session.persistentIdentifier,
        "a process runs; expected none: while one does, host.close(_:) discards a session")
    }
    store.discardWhileNotRunning(session.persistentIdentifier)
  }

  /// Protected data becomes unavailable: what is launched from now on finds sessions without their
  /// saved activity until ``unlock()`` (R-SR-6).
  public func lock() {
    isLocked.withLock { $0 = true }
    running?.application.host.lock()
  }

  /// Protected data becomes available.
  public func unlock() async {
    isLocked.withLock { $0 = false }
    await running?.application.host.unlock()
  }
}
