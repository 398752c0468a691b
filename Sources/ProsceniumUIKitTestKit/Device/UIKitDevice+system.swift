// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
public import ProsceniumTestKit
public import ProsceniumUIKit

// What the system does.
extension UIKitDevice {
  /// The system takes the memory of a scene in the background; its session stays (R-DIS-1).
  ///
  /// - Parameter session: The session.
  /// - Throws: `SceneError` with `notInBackground` if the scene is in the foreground.
  public func disconnect(_ session: UISceneSession) async throws {
    try await perform(.disconnect(session.identifier))
  }

  /// Memory is short: the program is warned, then scenes in the background are disconnected, least
  /// recently active first (R-DIS-4).
  ///
  /// - Parameter count: How many.
  /// - Throws: `notRunning` as `TestDeviceError`.
  public func relievePressure(count: Int) async throws {
    let application = try application
    application.delegate?.applicationDidReceiveMemoryWarning(application)
    post(UIApplication.didReceiveMemoryWarningNotification, application)
    try await perform(.relievePressure(count: count))
  }

  /// Fulfils the refreshes that were requested.
  ///
  /// - Throws: `notRunning` as `TestDeviceError`.
  public func refresh() async throws {
    try await carryOut { try await device.tick() }
  }

  /// Protected data becomes unavailable: what is launched from now on finds sessions without their
  /// saved activity (R-SR-6).
  ///
  /// - Throws: `fault`.
  public func lock() async throws {
    try await carryOut {
      if let application = try? application {
        application.delegate?.applicationProtectedDataWillBecomeUnavailable(application)
        post(UIApplication.protectedDataWillBecomeUnavailableNotification, application)
      }
      setProtectedData(isAvailable: false)
      device.lock()
    }
  }

  /// Protected data becomes available.
  ///
  /// - Throws: `fault`.
  public func unlock() async throws {
    try await carryOut {
      setProtectedData(isAvailable: true)
      await device.unlock()
      guard let application = try? application else { return }
      application.delegate?.applicationProtectedDataDidBecomeAvailable(application)
      post(UIApplication.protectedDataDidBecomeAvailableNotification, application)
    }
  }

  private func setProtectedData(isAvailable: Bool) {
    program.shared.withLock { $0.isProtectedDataAvailable = isAvailable }
  }

  /// Moves the device's clock: a restoration that was extended for too long ends (R-EXT-1).
  ///
  /// - Parameter duration: How far.
  /// - Throws: `fault`.
  public func advance(by duration: Duration) async throws {
    try await carryOut { await device.advance(by: duration) }
  }

  private func post(_ name: NSNotification.Name, _ application: UIApplication) {
    MainQueue.later { NotificationCenter.default.post(name: name, object: application) }
  }
}

// What a test looks at.
extension UIKitDevice {
  /// The open sessions of the process that runs, in the order in which they were made; none without
  /// a process.
  public var sessions: [UISceneSession] {
    guard let application = program.application else { return [] }
    return application.openSessions.sorted { $0.identifier < $1.identifier }
  }

  /// The persistent identifiers of what is kept on the device, whether or not a process runs.
  public var keptSessions: [String] {
    device.store.sessions.map { "\($0.persistentIdentifier)" }
  }

  /// Returns the delegate of the only session that has a scene.
  ///
  /// - Parameter type: The delegate's class.
  /// - Returns: The delegate.
  /// - Throws: `noScene` if none has one, or several have; `otherDelegate`.
  public func delegate<Delegate>(as type: Delegate.Type = Delegate.self) throws -> Delegate {
    let connected = sessions.filter { $0.scene != nil }
    guard let session = connected.first, connected.count == 1 else {
      throw UIKitDeviceError(
        .noScene, "expected one session with a scene, or to be told which; found \(connected.count)"
      )
    }
    return try delegate(of: session)
  }

  /// Returns the delegate of a session's scene.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - type: The delegate's class.
  /// - Returns: The delegate.
  /// - Throws: `noScene` or `otherDelegate`.
  public func delegate<Delegate>(
    of session: UISceneSession, as type: Delegate.Type = Delegate.self
  ) throws -> Delegate {
    guard let scene = session.scene else {
      throw UIKitDeviceError(.noScene, "expected a session with a scene, found one without")
    }
    guard let delegate = scene.delegate as? Delegate else {
      let found = scene.delegate.map { "one of class \(Swift.type(of: $0))" } ?? "none"
      throw UIKitDeviceError(
        .otherDelegate, "expected a delegate of class \(type), found \(found)")
    }
    return delegate
  }

  /// Everything that happened on the device so far.
  public var timeline: Timeline { device.timeline }

  /// Returns what happened on the device since the last call.
  public func takeTimeline() -> Timeline { device.takeTimeline() }

  /// What the programs of all devices asked for so far that means nothing here, each once.
  public static var notices: [String] { Notices.said }
}
