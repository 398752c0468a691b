// SPDX-License-Identifier: Apache-2.0

public import Proscenium
import ProsceniumPrimitives

extension FaultInjector {
  /// How often the injector looks what is due while there is something that has no moment.
  static let tick = Duration.milliseconds(1)

  /// Strikes an application as the plan says, until the task is cancelled or ``end()`` is called.
  ///
  /// It calls ``begin()``, and ``end()`` when it returns. What a pause of the machine has kept it
  /// from is made up for up to 100 milliseconds. One task at a time runs it; after a relaunch it
  /// goes on with the new application, where the time is then.
  ///
  /// - Parameter application: The application, launched or about to be.
  public func run(against application: Application) async {
    await run(against: application) {}
  }

  /// Strikes an application as ``run(against:)`` does.
  ///
  /// - Parameters:
  ///   - application: The application.
  ///   - isReady: Called when everything has struck that is due at the beginning, or nothing will;
  ///     more than once.
  package func run(
    against application: Application, isReady: @escaping @Sendable () -> Void
  ) async {
    let (ending, whoEnds) = AsyncStream.makeStream(of: Never.self)
    state.withLock { state in
      state.isRunning = true
      state.ending = whoEnds
    }
    begin()
    defer {
      end()
      let held = state.withLock { state in
        state.isRunning = false
        return state.takeHeldRequests(until: .seconds(Int64.max))
      }
      for request in held { request.make() }
    }
    await withTaskGroup { group in
      // It may sleep for long, until something is due.
      group.addTask { await self.strikeWhenDue(application, isReady) }
      // Whichever ends first ends the other.
      group.addTask { for await _ in ending {} }
      await group.next()
      group.cancelAll()
    }
  }

  private func strikeWhenDue(
    _ application: Application, _ isReady: @Sendable () -> Void
  ) async {
    defer { isReady() }
    var strikers = [
      FaultStriker(.disconnect, plan.disconnects, seed: plan.seed, stream: 1),
      FaultStriker(.discard, plan.discards, seed: plan.seed, stream: 2),
    ]
    var last = moment()
    while !Task.isCancelled, let now = moment() {
      for index in strikers.indices {
        strikers[index].strike(application, self, at: now, after: now - (last ?? now))
      }
      for moment in state.withLock({ $0.active.take(until: now) }) {
        carryOut(moment, &strikers, application, at: now)
      }
      for request in state.withLock({ $0.takeHeldRequests(until: now) }) { request.make() }
      last = now
      isReady()
      try? await clock.sleep(for: pause(after: now))
    }
  }

  private func carryOut(
    _ moment: FaultMoment, _ strikers: inout [FaultStriker], _ application: Application,
    at now: Duration
  ) {
    if let index = strikers.firstIndex(where: { $0.kind == moment.kind }) {
      if !strikers[index].strikeOnce(application, self, at: now) { miss(1) }
    } else {
      note(InjectedFault(.kill, at: now))
      kill()
    }
  }

  /// How long nothing is due.
  private func pause(after now: Duration) -> Duration {
    let isBusy =
      plan.disconnects.perSecond > 0 || plan.discards.perSecond > 0
      || plan.requests.delays.perThousand > 0
    let next = state.withLock { $0.next } ?? FaultPlan.lastMoment
    let pause = max(next - now, .microseconds(1))
    return isBusy ? min(pause, Self.tick) : pause
  }
}
