// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import ProsceniumPrimitives

/// The application's policy of disconnection, if it has one, and what came of it.
final class PressureWatch: Sendable {
  private struct State: Sendable {
    var control: PressureControl?
    var report = PressureReport()
    var doorbell = Doorbell()
  }

  private let state: Guarded<State>
  private let clock: any Clock<Duration>
  private let pressureCounter: Counter
  private let idleCounter: Counter
  private let usedGauge: Gauge
  /// How much time has passed since the application was made.
  let elapsed: @Sendable () -> Duration

  init(
    _ policy: DisconnectionPolicy?, clock: any Clock<Duration>, metrics: any MetricsFactory
  ) {
    self.clock = clock
    elapsed = clock.stopwatch()
    let control = policy.map { PressureControl($0.inRange, at: .zero) }
    state = Guarded(State(control: control))
    let label = "proscenium_policy_disconnects"
    pressureCounter = Counter(
      label: label, dimensions: [("reason", "pressure")], factory: metrics)
    idleCounter = Counter(
      label: label, dimensions: [("reason", "idle")], factory: metrics)
    usedGauge = Gauge(label: "proscenium_policy_used_bytes", factory: metrics)
  }

  /// The policy in force.
  var control: PressureControl? { state.withLock { $0.control } }

  /// Replaces the policy; the shards have to be told.
  func set(_ policy: DisconnectionPolicy?) -> PressureControl? {
    let control = policy.map { PressureControl($0.inRange, at: elapsed()) }
    let sleeper = state.withLock { state in
      state.control = control
      return state.doorbell.ring()
    }
    sleeper?.wake()
    return control
  }

  /// What was seen and done, but for how many scenes are connected.
  var report: PressureReport {
    state.withLock { state in
      var report = state.report
      report.sceneLimit = state.control?.policy.sceneLimit
      return report
    }
  }

  /// Takes note of a measure.
  func note(_ measure: PressureLedger.Measure) {
    if let used = measure.used { usedGauge.record(used) }
    state.withLock { state in
      state.report.usedBytes = measure.used
      state.report.limitBytes = measure.limit
    }
  }

  /// Takes note of scenes that a policy has disconnected.
  func note(_ count: Int, _ reason: LifecycleEvent.Reason) {
    let isIdle = reason == .idle
    (isIdle ? idleCounter : pressureCounter).increment(by: count)
    state.withLock { state in
      if isIdle {
        state.report.disconnectedWhenIdle += count
      } else {
        state.report.disconnectedForPressure += count
      }
    }
  }

  // MARK: - The task that looks

  /// Waits until a look is due, or there is another policy; false once the task is cancelled.
  func waitForLook() async -> Bool {
    let control = control
    await clock.wait(atMost: control.map { $0.nextLook - elapsed() }) {
      await self.rest(while: control)
    }
    return !Task.isCancelled
  }

  /// Sleeps until there is another policy, or the task is cancelled.
  private func rest(while control: PressureControl?) async {
    await withTaskCancellationHandler {
      await Sleeper.sleep { sleeper in
        state.withLock { state in
          guard state.control === control, !Task.isCancelled else { return false }
          state.doorbell.rest(sleeper)
          return true
        }
      }
    } onCancel: {
      state.withLock { $0.doorbell.ring() }?.wake()
    }
  }
}
