// SPDX-License-Identifier: Apache-2.0

public import Proscenium
import ProsceniumPrimitives
import Synchronization

/// Carries a ``FaultPlan`` out, on what the program gives to it and on nothing else.
///
/// It is usable in production builds: nothing happens unless a program makes one and hands over its
/// parts. Strikes, moments and kills come from ``run(against:)``, a task next to the application:
/// ```swift
/// let injector = FaultInjector(plan) { fault in log.write(fault) }
/// try await Application.withRunning(manifest: manifest, store: store) { application in
///   async let _ = injector.run(against: application)
///   await work(application)
/// }
/// ```
///
/// It can be used from any thread. With a ``SeededExecutor`` and its clock the seeds of both decide
/// everything; otherwise the plan's seed decides what is drawn, and time the rest.
public final class FaultInjector: Sendable {
  /// The plan, with every value inside its range.
  public let plan: FaultPlan

  let clock: any Clock<Duration>
  let kill: @Sendable () -> Void
  let choose: (@Sendable (FaultKind, UInt64) -> SessionIdentifier?)?
  let state: Guarded<FaultState>
  /// Whether anything goes wrong now.
  private let injecting = Atomic<Bool>(false)
  private let observer: (@Sendable (InjectedFault) -> Void)?

  /// Creates an injector; nothing happens before ``begin()`` or ``run(against:)``.
  ///
  /// - Parameters:
  ///   - plan: What is to go wrong.
  ///   - clock: By which the moments of the plan come; not one that this injector lets jump.
  ///   - observer: Is told of every fault as it happens and where it happens, of a strike or a kill
  ///     before it; from many threads at once. It must be short.
  ///   - kill: Kills the process, as `kill(getpid(), SIGKILL)` does, or has it end and launched
  ///     again. It is called by the task of ``run(against:)``; without it, kills are counted alone.
  ///   - choose: Names the session that is struck, given what strikes and a random number; `nil` if
  ///     there is none: then nothing strikes by its rate for 100 milliseconds. It is called for
  ///     each strike and must be short. Without it a session that can be struck is drawn.
  public init(
    _ plan: FaultPlan, clock: any Clock<Duration> = ContinuousClock(),
    observer: (@Sendable (InjectedFault) -> Void)? = nil,
    kill: @escaping @Sendable () -> Void = {},
    choose: (@Sendable (FaultKind, UInt64) -> SessionIdentifier?)? = nil
  ) {
    self.plan = plan.inRange
    self.clock = clock
    self.kill = kill
    self.choose = choose
    self.observer = observer
    state = Guarded(FaultState(self.plan))
  }

  /// Begins the injection: from here on the plan's moments are counted, and what was handed over
  /// goes wrong.
  ///
  /// ``run(against:)`` calls it. A second call goes on where ``end()`` has stopped; time passes
  /// in between.
  public func begin() {
    let stopwatch = clock.stopwatch()
    state.withLock { $0.stopwatch = $0.stopwatch ?? stopwatch }
    isInjecting = true
  }

  /// Ends the injection: nothing goes wrong any more, and requests that were held back are made.
  ///
  /// Power that was lost stays lost, and clocks stay where they have jumped to.
  public func end() {
    isInjecting = false
    state.withLock { $0.ending.take() }?.finish()
  }

  /// How many faults were injected so far, by kind; a kind without any is left out.
  public var counts: [FaultKind: Int] { state.withLock { $0.counts } }

  /// How many strikes found no session.
  public var misses: Int { state.withLock { $0.misses } }

  /// How many of the strikes that are counted were refused by the application, as that of a session
  /// which another one has just discarded.
  public var refusals: Int { state.withLock { $0.refusals } }

  /// Takes the power away from every store that was handed over so far: it does nothing any more,
  /// and its callers get an error.
  ///
  /// A store that is handed over afterwards has power, as that of the next launch.
  public func losePower() {
    let stopwatch = state.withLock { state in
      state.powerLosses += 1
      return state.stopwatch
    }
    note(InjectedFault(.powerLoss, at: stopwatch?() ?? .zero))
  }

  // MARK: - For those who inject

  /// Whether anything goes wrong now.
  package private(set) var isInjecting: Bool {
    get { injecting.load(ordering: .acquiring) }
    set { injecting.store(newValue, ordering: .releasing) }
  }

  /// The time since the beginning, after everything that comes by itself has come; nil while
  /// nothing is injected.
  func moment() -> Duration? {
    guard isInjecting, let stopwatch = state.withLock({ $0.stopwatch }) else { return nil }
    let time = stopwatch()
    for moment in state.withLock({ $0.come(until: time) }) {
      tell(InjectedFault(moment.kind, at: moment.time, duration: moment.distance))
    }
    return time
  }

  /// Counts a fault, and tells of it.
  func note(_ fault: InjectedFault) {
    state.withLock { $0.counts[fault.kind, default: 0] += 1 }
    tell(fault)
  }

  /// Counts strikes that found no session.
  func miss(_ count: Int) {
    state.withLock { $0.misses += count }
  }

  private func tell(_ fault: InjectedFault) {
    observer?(fault)
  }
}
