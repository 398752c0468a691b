// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation

/// Looks at a load test once a second.
struct LoadSampler: Sendable {
  /// What was counted at a moment.
  private struct Counted: Sendable {
    var time = 0.0
    var sent = 0
    var connects = 0, disconnects = 0, discards = 0, captures = 0, faults = 0
    var processors = 0.0
  }

  private let run: LoadRun
  private let driver: LoadDriver
  private let first: Counted

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

  private static func counted(_ run: LoadRun, _ driver: LoadDriver) -> Counted {
    let counts = run.audit.counts
    return Counted(
      time: run.seconds(since: run.start), sent: driver.progress.withLock { $0 },
      connects: counts[.connect] + counts[.newScene], disconnects: counts[.disconnect],
      discards: counts[.discard], captures: counts[.capture],
      faults: run.injector.counts.values.reduce(0, +),
      processors: ProcessorTime.used)
  }

  private func sample(from last: Counted, to now: Counted) -> LoadSample {
    var sample = LoadSample()
    sample.time = now.time
    sample.seconds = now.time - last.time
    sample.sent = now.sent - last.sent
    sample.latencies = run.audit.takeLatencies()
    sample.connects = now.connects - last.connects
    sample.disconnects = now.disconnects - last.disconnects
    sample.discards = now.discards - last.discards
    sample.captures = now.captures - last.captures
    sample.faults = now.faults - last.faults
    sample.processors = (now.processors - last.processors) / sample.seconds
    sample.connected = now.connects - now.disconnects
    sample.memory = run.test.meter.memory()
    sample.waiting = driver.application.durabilityReport.waiting
    return sample
  }
}
