// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumLoad

// The search for the highest rate that is held.
extension LoadCommand {
  /// Refuses what makes no sense with a search.
  func checkSearch() throws {
    if flags.concurrency != nil || flags.ramp != nil {
      throw ValidationError(
        "expected --rate alone with --find-rate: it is where the search begins.")
    }
    let own = [
      dashboard.map { _ in "--dashboard" }, metricsPort.map { _ in "--metrics-port" },
      heapProfile.map { _ in "--heap-profile" },
    ]
    for flag in own.compactMap({ $0 }) {
      throw ValidationError("expected no \(flag) with --find-rate: each test would have its own.")
    }
    if let store, store != "memory" {
      throw ValidationError(
        "expected --store memory or none with --find-rate: each test has a new store.")
    }
  }

  /// Tries rates until the highest one is known that is held.
  ///
  /// - Returns: The test with the highest rate that was held; if none was, the last one; nil if it
  ///   was interrupted before the first one ended.
  func findRate(_ plan: LoadScenario, _ place: LoadTest.Place) async throws -> LoadSummary? {
    var search = LoadRateSearch(from: plan.intendedRate ?? 1_000)
    var best: LoadSummary?
    var last: LoadSummary?
    var isStopped = false
    while let rate = search.next {
      var trial = plan
      trial.pace = .open(LoadPace(rate: rate))
      guard !Terminal.isInterrupted, let summary = try await summary(trial, place),
        !summary.isInterrupted
      else {
        isStopped = true
        break
      }
      let isHeld = summary.holdsRate && summary.isHeld(thresholds)
      search.note(rate, isHeld: isHeld)
      last = summary
      if isHeld, search.held == rate { best = summary }
      if !isBrief {
        let latency = NumberText.duration(Double(summary.latencies.all.quantile(0.99)) / 1e9)
        try Terminal.writeOutput(
          "\(NumberText.rate(rate)): \(isHeld ? "held" : "not held"), "
            + "\(NumberText.rate(summary.rate)) accepted, p99 \(latency)\n")
      }
      // A broken promise is no matter of the rate.
      if !summary.violations.isEmpty { return summary }
    }
    var found = best ?? last
    if isStopped {
      // What was found is not the answer.
      found?.isInterrupted = true
    } else if let held = search.held, !isBrief {
      try Terminal.writeOutput("highest rate held: \(NumberText.grouped(Int(held))) /s\n\n")
    }
    return found
  }
}
