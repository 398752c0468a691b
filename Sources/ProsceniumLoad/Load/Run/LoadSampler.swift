// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation

/// Looks at a load test once a second.
struct LoadSampler: Sendable {
  private let run: LoadRun
  private let driver: LoadDriver
  /// What was counted at the beginning.
  private let first: LoadSample

  /// Counts from now on.
  init(_ run: LoadRun, _ driver: LoadDriver) {
    self.run = run
    self.driver = driver
    first = Self.counted(run, driver)
  }

  /// Looks until it is cancelled, and once more then; returns what was seen.
  func run() async -> [LoadSample] {
    var samples: [LoadSample] = []
    var last = first
    var second = last.time.rounded(.down) + 1
    while !Task.isCancelled {
      let pause = run.start.advanced(by: .seconds(second))
      try? await run.test.clock.sleep(until: pause)
      second += 1
      let now = Self.counted(run, driver)
      // The rest of a second that is hardly there says nothing.
      guard now.time - last.time > 0.05 else { continue }
      let sample = sample(from: last, to: now)
      samples.append(sample)
      run.test.show(.sample(sample))
      last = now
    }
    return samples
  }

  private static func counted(_ run: LoadRun, _ driver: LoadDriver) -> LoadSample {
    let counts = run.audit.counts
    var sample = LoadSample()
    sample.time = run.seconds(since: run.start)
    sample.sent = driver.progress.withLock { $0 }
    sample.connects = counts[.connect, default: 0]
    sample.disconnects = counts[.disconnect, default: 0]
    sample.discards = counts[.discard, default: 0]
    sample.captures = counts[.capture, default: 0]
    sample.faults = run.injector.counts.values.reduce(0, +)
    sample.processors = ProcessorTime.used
    return sample
  }

  private func sample(from last: LoadSample, to now: LoadSample) -> LoadSample {
    var sample = now
    sample.seconds = now.time - last.time
    sample.sent -= last.sent
    sample.latencies = run.audit.takeLatencies()
    sample.connects -= last.connects
    sample.disconnects -= last.disconnects
    sample.discards -= last.discards
    sample.captures -= last.captures
    sample.faults -= last.faults
    sample.processors = (now.processors - last.processors) / sample.seconds
    sample.connected = now.connects - now.disconnects
    sample.memory = run.test.meter.memory()
    sample.waiting = driver.application.durabilityReport.waiting
    return sample
  }
}
