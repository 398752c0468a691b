// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
import Proscenium
import ProsceniumSimulation

/// One run of a vector, with a fresh runtime and a fresh store.
struct VectorRun: Sendable {
  let vector: LifecycleVector
  let options: ConformanceOptions
  let recorder: LifecycleRecorder
  let activities: VectorActivities
  let program: any VectorProgram
  let clock: ManualClock
  var store = InMemorySessionStore()
  var backups: [String: InMemorySessionStore] = [:]
  var process: VectorProcess?
  var isTerminating = false
  /// Whether protected data is unavailable.
  var isLocked = false
  /// Where the run is, for the report of a hang.
  private let place: VectorPlace

  init(
    _ vector: LifecycleVector, _ program: any VectorProgram.Type, options: ConformanceOptions,
    place: VectorPlace
  ) {
    self.vector = vector
    self.options = options
    clock = options.executor?.clock ?? ManualClock()
    self.place = place
    recorder = LifecycleRecorder(
      notes: vector.setup.notes ?? .none, keepsScenes: options.keepsScenes)
    activities = VectorActivities(vector.setup)
    self.program = program.init(
      VectorParts(
        setup: vector.setup, recorder: recorder, activities: activities,
        executor: options.executor))
  }

  /// Runs the vector and says what differs, or nil.
  mutating func run() async -> String? {
    var difference: String?
    await program.begin()
    do {
      try await runAll()
    } catch {
      difference = "\(place.name): \(error)"
    }
    await end()
    return difference
  }

  private mutating func runAll() async throws {
    place.set("setup")
    try await build()
    recorder.setRecording(true)
    for (index, step) in vector.steps.enumerated() {
      place.set("step \(index + 1) (\(step.command.name))")
      recorder.beginStep(options.keepsScenes ? step.hooks : [])
      try await step.command.action(&self)
      await rest()
      try await check(step.log, step.expectation)
    }
    place.set("the end")
    recorder.beginStep([])
    await rest()
    try await check([], vector.expect)
  }

  private mutating func end() async {
    recorder.setRecording(false)
    if let process {
      process.kill()
      await process.waitForEnd()
      self.process = nil
    }
    await program.end()
  }

  /// Waits until everything is done but what waits for a later command.
  mutating func rest() async {
    guard let process else { return }
    var isRunning: Bool
    repeat {
      isRunning = await process.waitUntilIdle(isTerminating: isTerminating)
    } while await program.rest()
    if isRunning { return }
    self.process = nil
    isTerminating = false
    await program.leave()
    recorder.follow(nil, store)
  }

  // MARK: - What a step expects

  private func check(
    _ log: [LogEntry], _ expectation: VectorExpectation?
  ) async throws(VectorDifference) {
    if options.keepsScenes,
      let difference = LogMatcher.difference(recorder.lines, from: log)
    {
      throw VectorDifference(difference)
    }
    var differences = recorder.takeDifferences()
    var view = recorder.view
    differences += view.violations
    differences += await program.differences()
    if let expectation = options.keepsScenes ? expectation : expectation?.ofStore {
      await look(at: (expectation.scenes?.members ?? []).map(\.name), &view)
      differences += expectation.differences(in: view)
    }
    if !differences.isEmpty {
      throw VectorDifference(differences.joined(separator: "; "))
    }
  }

  /// Asks scenes what they say of themselves.
  private func look(at labels: [SceneLabel], _ view: inout VectorView) async {
    for label in labels {
      if let scene = recorder.scene(label) { view.scenes[label] = await scene.stateForSuite() }
    }
  }
}

/// What a vector does not find as it expects it, in one line.
struct VectorDifference: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// How far a run has come; readable while it hangs.
final class VectorPlace: Sendable {
  private let place = Guarded("setup")

  var name: String { place.withLock { $0 } }

  func set(_ name: String) {
    place.withLock { $0 = name }
  }
}

/// One process of a vector's application: from a launch to its end.
final class VectorProcess: Sendable {
  /// What has the scenes.
  let application: Application
  /// What is asked for something that is about a session: another node, if there are several.
  let client: Application
  private let recorder: LifecycleRecorder
  private let run: @Sendable (_ untilEnd: Signal) async throws -> Void
  private let abandon: @Sendable () -> Void
  private let terminated = Signal()
  private let ended = Signal()
  private let isKilled = Guarded(false)

  init(_ application: Application, recorder: LifecycleRecorder) {
    (self.application, client, self.recorder) = (application, application, recorder)
    run = { end in try await application.whileRunning { _ in await end.wait() } }
    abandon = { application.process.abandon() }
  }

  /// A process that is asked by way of another one.
  ///
  /// - Parameters:
  ///   - application: What has the scenes.
  ///   - client: What is asked.
  ///   - recorder: What takes down that the process ends.
  ///   - run: Runs both until the signal, and ends them in order.
  ///   - abandon: Ends both without a word to the applications.
  init(
    _ application: Application, client: Application, recorder: LifecycleRecorder,
    run: @escaping @Sendable (_ untilEnd: Signal) async throws -> Void,
    abandon: @escaping @Sendable () -> Void
  ) {
    (self.application, self.client, self.recorder) = (application, client, recorder)
    (self.run, self.abandon) = (run, abandon)
  }

  /// Starts to run the application until it ends by itself or is ended.
  ///
  /// - Parameter executor: What runs it, if not the default one.
  func start(on executor: (any TaskExecutor)?) {
    _ = Spawner(executor: executor).start { [self] in await live() }
  }

  private func live() async {
    defer { ended.give() }
    do {
      try await run(terminated)
      recorder.leave()
      if !isKilled.withLock({ $0 }) { recorder.log("process.exit") }
    } catch  where isKilled.withLock({ $0 }) {
      recorder.leave()
    } catch let error as SceneError {
      recorder.leave()
      recorder.fail("launch", error.code)
    } catch {
      recorder.note("expected the launch to fail with an error of a scene, found \(error)")
    }
  }

  /// Ends the application in order.
  func terminate() {
    terminated.give()
  }

  /// Ends the process without a word to the application.
  func kill() {
    isKilled.withLock { $0 = true }
    abandon()
    terminated.give()
  }

  /// Waits until the application has ended.
  func waitForEnd() async {
    await ended.wait()
  }

  /// Waits until the application is idle; returns false if it has ended.
  func waitUntilIdle(isTerminating: Bool) async -> Bool {
    if !isTerminating {
      await application.process.launched()
      await application.settle()
      if !application.isEnding { return true }
    }
    await waitForEnd()
    return false
  }
}

/// Something that happens once and can be waited for; the wait ends when the task is cancelled.
struct Signal: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func give() {
    continuation.finish()
  }

  func wait() async {
    for await _ in stream {}
  }
}
