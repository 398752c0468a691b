// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
public import Logging
public import Proscenium
public import ProsceniumSimulation

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A device on which a program is launched, killed and launched again while its sessions stay.
///
/// Each launch makes a new `Application` over the same store, as a new process would:
/// what the program kept in memory is gone, what the store holds is there.
///
///     let device = TestDevice(manifest: [.init("Notepad", Notepad.init)])
///     let application = try await device.launch()
///     …
///     await device.kill()
///     try await device.launch()
///
/// A run can be repeated: identifiers are counted, the clock does not run until it is moved, one
/// shard runs all scenes, and refreshes wait for ``tick()``. Lifecycle events in a wrong order end
/// the test's process with a message. A device can be used from any thread, but a process is
/// launched and ended by one task at a time. With the device the process ends, as
/// ``kill()`` ends it.
public final class TestDevice: Sendable {
  struct Process: Sendable {
    let application: Application
    let task: Task<Void, any Error>
    /// Whether it is to end without a line in the timeline that says so.
    var isKilled = false
  }

  /// What outlives the processes.
  public let store: InMemorySessionStore

  /// The clock of the device, which only ``advance(by:)`` moves.
  public let clock = ManualClock()

  /// Writes down what happens on the device.
  public let recorder: TimelineRecorder

  /// Whether scenes stay when they have reached the background.
  ///
  /// `false` is what a device short of memory is like: each scene is disconnected as soon as its
  /// state is captured in the background, so that each return has to restore it. A scene that is
  /// wanted back before then stays.
  public let keepsScenes: Bool

  private let manifest: SceneManifest
  private let settings: ApplicationSettings
  private let log: Logger
  private let makeDelegate: (@Sendable () -> any ApplicationDelegate)?
  private let process = Guarded<Process?>(nil)
  let isLocked = Guarded(false)
  let deviceDate: DeviceDate

  /// Sets a device up; nothing runs before ``launch(_:)``.
  ///
  /// - Parameters:
  ///   - manifest: The kinds of scenes of the program.
  ///   - store: What is kept on the device; a filled one plays a device that was used before.
  ///   - delegate: Makes the application delegate of each process.
  ///   - keepsScenes: Whether scenes stay when they have reached the background.
  ///   - recording: What the device's timeline holds.
  ///   - log: Receives the diagnostics of each process; nothing does unless it is given.
  ///   - change: Changes the settings with which each process is launched.
  public init(
    manifest: SceneManifest, store: InMemorySessionStore = InMemorySessionStore(),
    delegate: (@Sendable () -> any ApplicationDelegate)? = nil, keepsScenes: Bool = true,
    recording: TimelineRecorder.Contents = .standard, log: Logger? = nil,
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) {
    var settings = ApplicationSettings()
    settings.shards = 1
    settings.clock = clock
    deviceDate = DeviceDate(clock)
    settings.wallClock = { [deviceDate] in deviceDate.now }
    settings.identifiers = .counted(from: store.nextNumber)
    settings.fulfilsRefreshesByHost = true
    change(&settings)
    let recorder = TimelineRecorder(recording)
    recorder.recordApplication(madeWith: &settings)
    self.manifest = manifest
    self.store = store
    self.settings = settings
    self.keepsScenes = keepsScenes
    self.recorder = recorder
    self.log = log ?? Logger(label: "proscenium") { _ in SwiftLogNoOpLogHandler() }
    makeDelegate = recorder.recording(delegate)
  }

  deinit {
    // No task can await it any more; it returns by itself.
    process.withLock { $0 }?.application.process.abandon()
  }

  // MARK: - Processes

  /// The application of the process that runs; of one that is being launched, from its first
  /// callback on.
  ///
  /// - Throws: `notRunning`.
  public var application: Application {
    get throws(TestDeviceError) {
      guard let running, running.application.isRestored else {
        throw TestDeviceError(.notRunning, "no process runs; expected one, after launch()")
      }
      return running.application
    }
  }

  /// The user and the system of the process that runs.
  ///
  /// - Throws: `notRunning`.
  public var host: ApplicationHost {
    get throws(TestDeviceError) { try application.host }
  }

  /// Whether a process runs.
  public var isRunning: Bool { running != nil }

  /// Launches the program.
  ///
  /// - Parameter launch: What the launch connects; unless given, the most recently active session,
  ///   or a new one.
  /// - Returns: The application, when everything that the launch brings has happened.
  /// - Throws: `alreadyRunning`; if the launch fails, its error.
  @discardableResult
  public func launch(
    _ launch: ApplicationSettings.Launch = .icon
  ) async throws -> Application {
    guard !isRunning else {
      throw TestDeviceError(
        .alreadyRunning, "a process runs; expected none: terminate or kill it first")
    }
    // A process that ended by itself may still be on its way out.
    try await waitForExit()
    recorder.record("process.launch(\(launch.text))", as: .processes)
    let application = makeApplication(launch)
    let task = application.process.start { [weak self] in self?.noteExit() }
    process.withLock { $0 = Process(application: application, task: task) }
    await application.process.launched()
    guard !application.isOver else {
      try await waitForExit()
      return application
    }
    await application.settle()
    return application
  }

  /// Ends the process without a word, as the system does with one that is suspended: no callback
  /// comes any more, and what has not reached the store is lost (R-TRM-1).
  ///
  /// Without a process it does nothing.
  public func kill() async {
    let killed = process.withLock { process in
      process?.isKilled = true
      return process
    }
    guard let killed else { return }
    if !killed.application.isOver { recorder.record("process.kill", as: .processes) }
    killed.application.process.abandon()
    _ = await killed.task.result
    process.withLock { $0 = nil }
  }

  /// Kills the process, if one runs, and launches the program again.
  ///
  /// - Parameter launch: As for ``launch(_:)``.
  /// - Returns: As ``launch(_:)``.
  /// - Throws: As ``launch(_:)``.
  @discardableResult
  public func relaunch(
    _ launch: ApplicationSettings.Launch = .icon
  ) async throws -> Application {
    await kill()
    return try await self.launch(launch)
  }

  /// Ends the process in order: every scene is captured and disconnected, then the application
  /// delegate is told (2.8 e).
  ///
  /// - Throws: `notRunning`; the store's error, if it could not be brought up to date.
  public func terminate() async throws {
    guard let running else {
      throw TestDeviceError(.notRunning, "no process runs; expected one that can be terminated")
    }
    running.task.cancel()
    try await waitForExit()
  }

  /// Waits for a process that ends by itself, as with
  /// `LastSessionClose.uikitCompat`.
  ///
  /// Without a process it returns at once; with one that goes on, it waits as long as that does.
  ///
  /// - Throws: The error that ended the process.
  public func waitForExit() async throws {
    guard let task = process.withLock({ $0?.task }) else { return }
    let result = await task.result
    process.withLock { $0 = nil }
    try result.get()
  }

  var running: Process? {
    process.withLock { $0 }.flatMap { $0.application.isOver ? nil : $0 }
  }

  private func noteExit() {
    let isKilled = process.withLock { $0?.isKilled ?? false }
    if !isKilled { recorder.record("process.exit", as: .processes) }
  }

  private func makeApplication(_ launch: ApplicationSettings.Launch) -> Application {
    var settings = settings
    settings.launch = launch
    settings.isProtectedDataAvailable = !isLocked.withLock { $0 }
    if !keepsScenes {
      let observer = LifecycleObserver(.snapshots) { [weak self] event in
        if case .settledInBackground = event.kind { self?.disconnect(event.session) }
      }
      settings.otherObservers.append(observer)
    }
    settings.watchOrder()
    return Application(
      manifest: manifest, store: store, settings: settings, log: log, delegate: makeDelegate)
  }

  private func disconnect(_ session: SessionIdentifier?) {
    guard let session, let application = process.withLock({ $0?.application }) else { return }
    // Refused if the scene was activated again before this request.
    application.host.submit(.disconnect(session))
  }
}

extension InMemorySessionStore {
  /// A number above those of all counted identifiers that are kept.
  fileprivate var nextNumber: UInt64 {
    1 + (sessions.compactMap(\.persistentIdentifier.number).max() ?? 0)
  }
}

extension ApplicationSettings.Launch {
  fileprivate var text: String {
    switch self {
    case .background: "background"
    case .icon: "icon"
    case .connectAll: "connectAll"
    case .event: "event"
    }
  }
}

/// The date on a device: it moves with the device's clock, and can be set.
final class DeviceDate: Sendable {
  private let clock: ManualClock
  /// What the date was, or would have been, when the clock was at its beginning.
  private let start = Guarded(Date(timeIntervalSince1970: 1_767_225_600))

  /// Creates the date 2026-01-01 00:00 UTC at a clock's beginning.
  init(_ clock: ManualClock) {
    self.clock = clock
  }

  var now: Date { start.withLock { $0 } + seconds }

  func set(_ date: Date) {
    start.withLock { $0 = date - seconds }
  }

  private var seconds: Double {
    let (seconds, attoseconds) = clock.now.offset.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}

/// What a test asked of a ``TestDevice`` that cannot be done now.
public struct TestDeviceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// The set is open: a program must expect codes that it does not know.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, as in `Docs/ERRORS.md`.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// A process runs already, and the call needs that none does.
    public static let alreadyRunning = Code("alreadyRunning")
    /// No process runs, and the call needs one.
    public static let notRunning = Code("notRunning")
    /// The session has no scene now.
    public static let noScene = Code("noScene")
    /// The scene's delegate is of another class, or there is none.
    public static let otherDelegate = Code("otherDelegate")
  }

  /// The kind of the error.
  public let code: Code

  /// The session that the error is about, if it is about one.
  public let session: SessionIdentifier?

  /// What was expected and what was found, as a sentence.
  public let message: String

  init(_ code: Code, session: SessionIdentifier? = nil, _ message: String) {
    self.code = code
    self.session = session
    self.message = message
  }

  /// The code and the sentence.
  public var description: String { "\(code): \(message)" }
}
