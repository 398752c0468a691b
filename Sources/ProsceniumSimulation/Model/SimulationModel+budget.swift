// SPDX-License-Identifier: Apache-2.0

/// A callback that has used up its budget: whose it is, and how long it took.
struct SlowCall: Sendable, Equatable {
  var session: Int
  var duration: Duration
}

// A callback that takes too long is reported before anything else happens, and no other one is.
extension SimulationModel {
  /// Takes note of how long a callback takes.
  mutating func spend(_ duration: Duration, _ number: Int) {
    guard let budget = rules.budget, duration >= budget else { return }
    owedReport = SlowCall(session: number, duration: duration)
  }

  /// Takes note of the report of a slow callback; on one thread it is seen only after its return.
  mutating func report(_ slow: SlowCall, isRunning: Bool) {
    let owed = owedReport.take()
    if owed != slow || isRunning {
      find("a callback of session \(slow.session) was reported as slow: \(slow.duration)")
    }
  }

  /// Checks that nothing is owed between two steps.
  mutating func checkReports() {
    guard let slow = owedReport.take() else { return }
    find("a callback of session \(slow.session) took \(slow.duration), and was not reported")
  }
}
