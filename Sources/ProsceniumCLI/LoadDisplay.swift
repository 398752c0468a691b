// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad
import ProsceniumPrimitives

/// Shows how far a load test has come.
final class LoadDisplay: Sendable {
  private struct State: Sendable {
    var progress: ReplayProgress<ContinuousClock>
    var step = LoadTest.Step.opening(0, 0)
    var sample: LoadSample?
  }

  private let state: Guarded<State>
  private let scenario: LoadScenario

  /// Makes a display that begins now.
  init(_ scenario: LoadScenario) {
    self.scenario = scenario
    let style = Terminal.errorColumns.map {
      ReplayProgress<ContinuousClock>.Style.terminal(columns: $0)
    }
    state = Guarded(State(progress: ReplayProgress(style ?? .lines, clock: ContinuousClock())))
  }

  /// Shows what has come, if it is time.
  func show(_ progress: LoadTest.Progress) {
    let text = state.withLock { state -> String? in
      switch progress {
      case .step(let step): state.step = step
      case .sample(let sample): state.sample = sample
      }
      let (step, sample) = (state.step, state.sample)
      return state.progress.text { _, columns in line(step, sample, columns) }
    }
    if let text { Terminal.writeError(text) }
  }

  /// Takes the line away.
  func end() {
    Terminal.writeError(state.withLock { $0.progress.end })
  }

  private func line(_ step: LoadTest.Step, _ sample: LoadSample?, _ columns: Int?) -> String {
    let line =
      switch step {
      case .opening(let done, let all): Self.counted("opening sessions", done, all)
      case .verifying(let done, let all): Self.counted("verifying sessions", done, all)
      case .warmingUp: "warming up"
      case .measuringFloor: "measuring the floor"
      case .running: sample.map { running($0) } ?? "running"
      }
    return columns.map { String(line.prefix($0)) } ?? line
  }

  private static func counted(_ what: String, _ done: Int, _ all: Int) -> String {
    let share = all > 0 ? Double(done) / Double(all) : 0
    return ReplayPosition.bar(share)
      + "  \(what)  \(NumberText.grouped(done)) of \(NumberText.grouped(all))"
  }

  private func running(_ sample: LoadSample) -> String {
    var parts: [String] = []
    if case .seconds(let seconds) = scenario.end {
      parts.append(ReplayPosition.bar(min(sample.time / seconds, 1)))
      parts.append(NumberText.clock(seconds: sample.time))
      parts.append(NumberText.clock(seconds: max(seconds - sample.time, 0)) + " left")
    } else {
      parts.append(NumberText.clock(seconds: sample.time))
    }
    parts.append(NumberText.rate(Double(sample.sent) / sample.seconds))
    let all = sample.latencies.all
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
      parts.append("\(name) \(NumberText.duration(Double(all.quantile(share)) / 1e9))")
    }
    parts.append("\(NumberText.grouped(sample.connected)) connected")
    if let memory = sample.memory { parts.append(NumberText.bytes(memory.resident)) }
    parts.append("\(NumberText.rate(Double(sample.faults) / sample.seconds)) faults")
    return parts.joined(separator: "  ")
  }
}
