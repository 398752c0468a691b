// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Logging
public import Proscenium
public import ProsceniumTestKit
public import ProsceniumUIKit

/// A device that runs a team's UIKit program on Linux: its own delegates, as they are.
///
///     let device = UIKitDevice(sceneDelegate: SceneDelegate.init)
///     try await device.launch()
///     try await device.home()
///     await device.kill()
///     try await device.launch()
///
/// The delegates import `UIKit`, which the team's targets map to the module `ProsceniumUIKit`. Each
/// launch makes them again, as a new process does; what was captured is there.
///
/// A call returns when what it asks for has happened, and what the program left for the main queue
/// has run. If the program did until then what UIKit answers with an exception, such as a predicate
/// of a wrong format, the call throws ``UIKitDeviceError/Code/fault``.
///
/// `UIApplication.shared` and `NotificationCenter.default` are one for a whole test program, so
/// that one device has a process at a time: a launch waits until the process of another test's
/// device has ended. A process ends with ``kill()``, with ``terminate()``, and with its device.
@MainActor
public final class UIKitDevice {
  let device: TestDevice
  let program = UIKitProgram()

  /// Opens URLs that the program hands to the device, and tells whether anything did; without it
  /// nothing does.
  public var opensURL: (@MainActor (URL) -> Bool)? {
    didSet { program.opensURL = opensURL }
  }

  /// Sets a device up for a program; nothing runs before ``launch(_:file:line:)``.
  ///
  /// - Parameters:
  ///   - scenes: The program's scenes, as its Info.plist has them; unless given, one configuration
  ///     with the first class.
  ///   - applicationDelegate: Makes the application delegate of each process.
  ///   - sceneDelegates: The classes of the scene delegates.
  ///   - store: What is kept on the device; a filled one plays a device that was used before.
  ///   - keepsScenes: Whether scenes stay when they have reached the background; `false` is a
  ///     device short of memory.
  ///   - recording: What the timeline holds.
  ///   - log: Receives the diagnostics of each process; nothing does unless it is given.
  ///   - change: Changes the settings with which each process is launched, but for the executor and
  ///     the number of shards, which is one.
  public init(
    scenes: UIKitScenes = UIKitScenes(),
    applicationDelegate: (@MainActor () -> any UIApplicationDelegate)? = nil,
    sceneDelegates: [UIKitSceneDelegate], store: InMemorySessionStore = InMemorySessionStore(),
    keepsScenes: Bool = true, recording: TimelineRecorder.Contents = .standard,
    log: Logger? = nil, settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) {
    let program = program
    program.makeApplicationDelegate = applicationDelegate
    for delegate in sceneDelegates {
      precondition(
        program.delegateClasses.updateValue(delegate.program, forKey: delegate.name) == nil,
        "two classes of scene delegates are called \(delegate.name): their names have to differ")
    }
    var manifest = scenes.manifest(defaultClass: sceneDelegates.first?.name)
    program.entries = scenes.entries(defaultClass: sceneDelegates.first?.name)
    program.register(with: &manifest)
    let translator = ApplicationTranslator(of: program)
    device = TestDevice(
      manifest: manifest, store: store, delegate: { translator }, keepsScenes: keepsScenes,
      recording: recording, log: log
    ) { settings in
      change(&settings)
      // The program's callbacks are the main actor's, so that its scenes are run there.
      settings.shards = 1
      settings.makeExecutor = { MainQueue.lease() }
      settings.otherObservers.append(translator.observer)
    }
  }

  /// Sets a device up for a program with one class of scene delegates.
  ///
  /// - Parameters:
  ///   - scenes: The program's scenes, as its Info.plist has them.
  ///   - applicationDelegate: Makes the application delegate of each process.
  ///   - sceneDelegate: Makes the delegate of each scene: `SceneDelegate.init`.
  ///   - keepsScenes: Whether scenes stay when they have reached the background.
  public convenience init<Delegate: UISceneDelegate>(
    scenes: UIKitScenes = UIKitScenes(),
    applicationDelegate: (@MainActor () -> any UIApplicationDelegate)? = nil,
    sceneDelegate: @escaping @MainActor () -> Delegate, keepsScenes: Bool = true
  ) {
    self.init(
      scenes: scenes, applicationDelegate: applicationDelegate,
      sceneDelegates: [UIKitSceneDelegate(sceneDelegate)], keepsScenes: keepsScenes)
  }

  /// Says what a storyboard makes, which is not read here.
  ///
  /// - Parameters:
  ///   - storyboard: Its name.
  ///   - identifier: The name of the controller in it; nil is its first one.
  ///   - make: Makes the controller.
  public func setController(
    ofStoryboard storyboard: String, identifier: String? = nil,
    _ make: @escaping @MainActor () -> UIViewController
  ) {
    program.controllers[UIKitProgram.StoryboardPlace(storyboard, identifier)] = make
  }

  isolated deinit {
    end()
  }

  // MARK: - Processes

  /// The application of the process that runs.
  ///
  /// - Throws: `notRunning` as `TestDeviceError`.
  public var application: UIApplication {
    get throws {
      _ = try device.application
      guard let application = program.application else {
        throw UIKitDeviceError(.fault, "the process has no application")
      }
      return application
    }
  }

  /// Whether a process runs.
  public var isRunning: Bool { device.isRunning }

  /// Launches the program, and waits until what the launch brings has happened.
  ///
  /// - Parameters:
  ///   - launch: Why it is launched; unless given, from its icon.
  ///   - file: Where the call is, for devices that wait for this one.
  ///   - line: Where the call is.
  /// - Returns: The application.
  /// - Throws: `alreadyRunning` as `TestDeviceError`; `otherDevice` if this task has launched
  ///   another device whose process still runs; `CancellationError` if the task is cancelled while
  ///   it waits for its turn; if the launch fails, its error; `fault`.
  @discardableResult
  public func launch(
    _ launch: Launch = .icon, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> UIApplication {
    // The device says so itself.
    if !device.isRunning {
      try await DeviceTurn.shared.take(for: program, at: "\(file):\(line)")
    }
    do {
      try await device.launch(launch.value)
    } catch {
      await rest()
      throw error
    }
    try await restOrThrow()
    return try application
  }

  /// Ends the process without a word, as the system does with one that is suspended (R-TRM-1).
  public func kill() async {
    await device.kill()
    end()
  }

  /// Kills the process, if one runs, and launches the program again.
  ///
  /// - Parameters:
  ///   - launch: As for ``launch(_:file:line:)``.
  ///   - file: Where the call is.
  ///   - line: Where the call is.
  /// - Returns: The application.
  /// - Throws: As ``launch(_:file:line:)``.
  @discardableResult
  public func relaunch(
    _ launch: Launch = .icon, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> UIApplication {
    await device.kill()
    program.end()
    return try await self.launch(launch, file: file, line: line)
  }

  /// Ends the process in order: every scene is captured and disconnected, then the application
  /// delegate is told (2.8 e).
  ///
  /// - Throws: `notRunning` as `TestDeviceError`; `fault`.
  public func terminate() async throws {
    defer { end() }
    try await device.terminate()
    try throwFaults()
  }

  /// Ends the objects of a process that is gone, and lets another device have one.
  private func end() {
    program.end()
    DeviceTurn.shared.give(of: program)
  }

  // MARK: - Rest

  /// How often the runtime and the main queue are waited for in turns.
  private static let roundLimit = 1_000

  /// Waits until everything that was asked for has happened, and what was left for the main queue
  /// has run.
  ///
  /// It does not wait for a task that waits for something else; see ``wait(within:on:until:)``.
  ///
  /// - Throws: `fault`.
  public func settle() async throws {
    try await restOrThrow()
  }

  /// Waits until a condition holds: for work that the program does in tasks of its own.
  ///
  /// - Parameters:
  ///   - limit: For how long at most.
  ///   - clock: By which clock; that of the system, since the program's tasks wait for real things.
  ///   - condition: Is asked again and again, on the main actor.
  /// - Throws: `neverHeld` when the time is over; `CancellationError`; `fault`.
  public func wait(
    within limit: Duration = .seconds(10), on clock: some Clock<Duration> = ContinuousClock(),
    until condition: () -> Bool
  ) async throws {
    let end = clock.now.advanced(by: limit)
    while !condition() {
      guard clock.now < end else {
        throw UIKitDeviceError(.neverHeld, "the condition did not hold within \(limit)")
      }
      try Task.checkCancellation()
      await Task.yield()
      try await restOrThrow()
    }
  }

  /// Does something on the device, and waits until everything that comes of it has happened.
  func carryOut<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      let result = try await body()
      try await restOrThrow()
      return result
    } catch {
      await rest()
      throw error
    }
  }

  private func restOrThrow() async throws {
    await rest()
    try throwFaults()
  }

  /// Waits for the runtime and the main queue in turns, until neither has anything left.
  private func rest() async {
    var calls: Int
    var rounds = 0
    repeat {
      calls = program.callCount
      await device.settle()
      await MainQueue.drain()
      // What was done on the main queue may have asked the runtime for something.
      await device.settle()
      rounds += 1
    } while calls != program.callCount && rounds < Self.roundLimit
    if rounds == Self.roundLimit {
      Faults.note("the program did not come to rest in \(rounds) rounds of its main queue")
    }
    if !device.isRunning { end() }
  }

  private func throwFaults() throws {
    let faults = Faults.take()
    guard !faults.isEmpty else { return }
    throw UIKitDeviceError(.fault, faults.joined(separator: "\n"))
  }
}
