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
    try await host.perform(.fulfilRefreshes)
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
  public func discardWhileDown(_ session: SessionIdentifier) throws(TestDeviceError) {
    guard !isRunning else {
      throw TestDeviceError(
        .alreadyRunning, session: session,
        "a process runs; expected none: while one does, host.perform(.close(_:)) discards a session"
      )
    }
    store.discardWhileNotRunning(session)
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

// What a test looks at.
extension TestDevice {
  /// Everything that happened on the device so far.
  public var timeline: Timeline { recorder.timeline }

  /// Returns what happened on the device since the last call.
  public func takeTimeline() -> Timeline {
    recorder.take()
  }

  /// The open sessions of the process that runs, or of the store if none does, by identifier.
  public var sessions: [SceneSession] {
    if let application = try? application {
      return application.openSessions.sorted {
        $0.persistentIdentifier < $1.persistentIdentifier
      }
    }
    return store.sessions.map { SceneSession(testing: $0) }
  }

  /// Calls a function with the delegate of a session's scene, on that scene.
  ///
  /// A test looks into its delegate thus, or calls one of its methods.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - type: The delegate's class.
  ///   - body: Receives the delegate and its scene; nothing else runs on the scene then.
  /// - Returns: What `body` returns.
  /// - Throws: `notRunning`, `noScene` or `otherDelegate` as ``TestDeviceError``; what `body`
  ///   throws.
  public func visit<Delegate: SceneDelegate & SendableMetatype, Result: Sendable>(
    _ session: SessionIdentifier, _ type: Delegate.Type,
    _ body: @Sendable (Delegate, isolated Scene) throws -> Result
  ) async throws -> Result {
    guard let scene = try application.scene(for: session) else {
      throw TestDeviceError(
        .noScene, session: session,
        "\(session.label) has no scene now; expected one: open or connect the session")
    }
    return try await scene.visit(type, body)
  }
}

extension Scene {
  fileprivate func visit<Delegate: SceneDelegate, Result: Sendable>(
    _ type: Delegate.Type, _ body: @Sendable (Delegate, isolated Scene) throws -> Result
  ) throws -> Result {
    guard let delegate = delegate as? Delegate else {
      let found = delegate.map { "one of class \(Swift.type(of: $0))" } ?? "none"
      throw TestDeviceError(
        .otherDelegate, session: persistentIdentifier,
        "expected a delegate of class \(type) at \(persistentIdentifier.label), found \(found)")
    }
    return try body(delegate, self)
  }
}
