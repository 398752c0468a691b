// SPDX-License-Identifier: Apache-2.0

internal import Proscenium
import ProsceniumPrimitives

/// Runs tasks on one thread, one step at a time, in an order that a seed decides.
///
/// Whatever can run next is drawn from all that could, so that each seed is another interleaving of
/// the same program, and equal seeds are the same one, in every process. A *step* is what a task
/// does from one suspension to the next. Time does not pass while anything can run; then it goes to
/// the next moment for which a task waits by ``clock``, so that hours take no time.
///
/// An application belongs to a run as a whole if its settings say so:
/// ```swift
/// let executor = SeededExecutor(seed: 7)
/// let title = try executor.run {
///   var settings = ApplicationSettings()
///   settings.taskExecutor = executor
///   settings.clock = executor.clock
///   settings.identifiers = .counted()
///   return try await play(Application(manifest: manifest, settings: settings))
/// }
/// ```
///
/// What is awaited outside of the run, such as a real disk, a real clock or a task without the
/// executor's preference, is not decided by the seed: ``run(steps:_:)`` throws `notAlone` when
/// another thread wakes a task of the run, or `stuck` if nothing of the run can go on before.
public final class SeededExecutor: TaskExecutor {
  /// A part of a task, and the process that it belongs to if that is not the whole run.
  private struct ReadyJob: Sendable {
    let job: UnownedJob
    let process: SeededProcess?
  }

  private struct State: Sendable {
    var random: SplitMix64
    var ready: [ReadyJob] = []
    var steps = 0
    /// The thread of the run that goes on, if there is one.
    var thread: ThreadIdentity?
    var hasCompany = false
  }

  /// The clock of the runs: it moves when nothing else does.
  public let clock = ManualClock()

  private let state: Guarded<State>

  /// Creates an executor.
  ///
  /// - Parameter seed: What decides the order of everything; any number.
  public init(seed: UInt64) {
    state = Guarded(State(random: SplitMix64(seed: seed)))
  }

  /// How many steps were taken so far.
  public var steps: Int { state.withLock { $0.steps } }

  /// Takes up a part of a task; the runtime of the language calls it.
  ///
  /// - Parameter job: The part.
  public func enqueue(_ job: consuming ExecutorJob) {
    add(UnownedJob(job), of: nil)
  }

  /// Takes up a part of a task.
  func add(_ job: UnownedJob, of process: SeededProcess?) {
    state.withLock { state in
      if let thread = state.thread, thread != .current { state.hasCompany = true }
      state.ready.append(ReadyJob(job: job, process: process))
    }
  }

  /// Gives back what could run of a process.
  func removeJobs(of process: SeededProcess) -> [UnownedJob] {
    state.withLock { state in
      let removed = state.ready.filter { $0.process === process }
      state.ready.removeAll { $0.process === process }
      return removed.map(\.job)
    }
  }

  /// Runs an operation to its end, on the caller's thread, with everything that it starts.
  ///
  /// What is left when it has ended, or when an error ends the run, stays where it is until the
  /// next run: tasks that are suspended for good keep what they hold.
  ///
  /// - Parameters:
  ///   - limit: How many steps it may take: 1 or more.
  ///   - operation: The operation.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws, or a ``SimulationError``: `stuck` if nothing can wake any
  ///   task any more, `stepLimit`, or `notAlone`.
  public func run<Value: Sendable>(
    steps limit: Int = .max, _ operation: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    try run(steps: limit, afterEach: { _ in }, operation)
  }

  /// Runs an operation to its end, and calls a function between two steps.
  ///
  /// - Parameters:
  ///   - limit: How many steps it may take: 1 or more.
  ///   - look: Is given the number of the step that was taken, counted from the first run on.
  ///   - operation: The operation.
  /// - Returns: What the operation returns.
  /// - Throws: As ``run(steps:_:)``.
  package func run<Value: Sendable>(
    steps limit: Int, afterEach look: (Int) -> Void,
    _ operation: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let result = Guarded<Result<Value, any Error>?>(nil)
    try enter()
    defer { leave() }
    let hasEnded = Guarded(false)
    // Not awaited, which would need another thread.
    _ = Spawner(executor: self).start {
      do {
        let value = try await operation()
        result.withLock { $0 = .success(value) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
      hasEnded.withLock { $0 = true }
    }
    var left = limit
    while true {
      if hasEnded.withLock({ $0 }), let result = result.withLock({ $0 }) { return try result.get() }
      guard left > 0 else {
        throw SimulationError(.stepLimit, "expected an end within \(limit) steps")
      }
      left -= 1
      guard let number = try step() else { continue }
      look(number)
    }
  }

  /// Takes one step, or moves the clock if that is what everything waits for.
  ///
  /// - Returns: The number of the step, or nil if the clock was moved.
  private func step() throws(SimulationError) -> Int? {
    guard let (job, number) = takeJob() else {
      guard clock.advanceToNextDeadline() else {
        throw SimulationError(
          .stuck, "expected something that can run, and every task waits after \(steps) steps")
      }
      return nil
    }
    if let process = job.process {
      unsafe job.job.runSynchronously(on: process.asUnownedTaskExecutor())
    } else {
      unsafe job.job.runSynchronously(on: asUnownedTaskExecutor())
    }
    if state.withLock({ $0.hasCompany }) {
      throw SimulationError(
        .notAlone, "expected every task on one thread, and another one has woken a task")
    }
    return number
  }

  private func takeJob() -> (job: ReadyJob, number: Int)? {
    state.withLock { state in
      guard !state.ready.isEmpty else { return nil }
      let place = state.random.number(below: state.ready.count)
      state.steps += 1
      state.ready.swapAt(place, state.ready.count - 1)
      return (state.ready.removeLast(), state.steps)
    }
  }

  private func enter() throws(SimulationError) {
    try state.withLock { (state) throws(SimulationError) in
      guard state.thread == nil else {
        throw SimulationError(.notAlone, "expected the executor's last run to be over")
      }
      state.thread = .current
      state.hasCompany = false
    }
  }

  private func leave() {
    state.withLock { $0.thread = nil }
  }
}

/// Why a simulated run did not come to its end.
public struct SimulationError: Error, Sendable, Equatable {
  /// What kind of error it is; new ones may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Every task waits, and nothing is left that could wake one.
    public static let stuck = Code(rawValue: "stuck")
    /// The run has taken as many steps as it may.
    public static let stepLimit = Code(rawValue: "stepLimit")
    /// Another thread has woken a task, so that the seed did not decide everything.
    public static let notAlone = Code(rawValue: "notAlone")
  }

  /// What kind of error it is.
  public let code: Code

  /// What was expected, and what was found.
  public let message: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: What kind of error it is.
  ///   - message: What was expected, and what was found.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension SimulationError: CustomStringConvertible {
  /// The code and the message in one line.
  public var description: String { "\(code.rawValue): \(message)" }
}
