// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
import Proscenium
import ProsceniumSimulation

/// What was seen in one second of a load test.
public struct LoadSample: Sendable {
  /// The end of the second, in seconds since the beginning of what is counted.
  public var time = 0.0
  /// How long it was, in seconds.
  public var seconds = 0.0
  /// Events that were accepted.
  public var sent = 0
  /// Events that were delivered, with their latencies.
  public internal(set) var latencies = LoadLatencies()
  /// Scenes that were connected, disconnected; sessions that were discarded.
  public var connects = 0, disconnects = 0, discards = 0
  /// Saved states that had changed when they were captured.
  public var captures = 0
  /// Faults that were injected.
  public var faults = 0
  /// How many scenes are connected.
  public var connected = 0
  /// What the allocator has, if it tells.
  public var memory: MemoryReading?
  /// How many processors were at work.
  public var processors = 0.0
  /// How many changes wait for the store.
  public var waiting = 0
}

extension LoadSample {
  /// What was seen, as rows of the CSV.
  func rows(name: String) -> [CSVRow] {
    let time = CSVNumber(time)
    let second = CSVRow.Unit.perSecond
    let values: [(String, Double?, CSVRow.Unit)] = [
      ("events_sent_per_second", Double(sent) / seconds, second),
      ("events_delivered_per_second", Double(latencies.count) / seconds, second),
      ("connects_per_second", Double(connects) / seconds, second),
      ("disconnects_per_second", Double(disconnects) / seconds, second),
      ("discards_per_second", Double(discards) / seconds, second),
      ("captures_per_second", Double(captures) / seconds, second),
      ("faults_per_second", Double(faults) / seconds, second),
      ("scenes_connected", Double(connected), .one), ("changes_waiting", Double(waiting), .one),
      ("processors", processors, .one), ("allocated", memory.map { Double($0.allocated) }, .bytes),
      ("active", memory.map { Double($0.active) }, .bytes),
      ("resident", memory.map { Double($0.resident) }, .bytes),
      ("retained", memory.map { Double($0.retained) }, .bytes),
    ]
    let rows = values.compactMap { metric, value, unit in
      CSVRow(.load, name: name, time: time, metric: metric, measured: value, unit: unit)
    }
    return rows + CSVRow.latencies(of: name, latencies.all, time: time)
  }
}

/// How long events took: those to connected scenes, and those for which a scene was connected.
public struct LoadLatencies: Sendable {
  /// Events to scenes that were connected when they were due.
  public private(set) var direct = LatencyHistogram()
  /// Events that were waiting when their scene was connected.
  public private(set) var reconnecting = LatencyHistogram()

  mutating func record(nanoseconds: Int, hasWaited: Bool) {
    if hasWaited {
      reconnecting.record(nanoseconds: nanoseconds)
    } else {
      direct.record(nanoseconds: nanoseconds)
    }
  }

  mutating func add(_ other: LoadLatencies) {
    direct.add(other.direct)
    reconnecting.add(other.reconnecting)
  }

  mutating func reset() {
    self = LoadLatencies()
  }

  /// All of them.
  public var all: LatencyHistogram {
    var all = direct
    all.add(reconnecting)
    return all
  }

  /// How many events there were.
  public var count: Int { direct.count + reconnecting.count }
}

/// Looks at a load test once a second.
struct LoadSampler: Sendable {
  private let run: LoadRun
  private let application: Application
  /// What was counted at the beginning.
  private let first: LoadSample

  /// Counts from now on.
  init(_ run: LoadRun, _ application: Application) {
    self.run = run
    self.application = application
    first = Self.counted(run)
  }

  /// Looks until it is cancelled, and then a last time; returns what was seen.
  func run() async -> [LoadSample] {
    var samples: [LoadSample] = []
    var last = first
    var second = last.time.rounded(.down) + 1
    while !Task.isCancelled {
      let pause = run.start.advanced(by: .seconds(second))
      try? await run.test.clock.sleep(until: pause)
      second += 1
      let now = Self.counted(run)
      // The rest of a second that is hardly there says nothing.
      guard now.time - last.time > 0.05 else { continue }
      let sample = sample(from: last, to: now)
      samples.append(sample)
      run.test.show(.sample(sample))
      last = now
    }
    return samples
  }

  private static func counted(_ run: LoadRun) -> LoadSample {
    let counts = run.audit.counts
    var sample = LoadSample()
    sample.time = run.seconds(since: run.start)
    sample.sent = run.sentCount.withLock { $0 }
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
    sample.waiting = application.durabilityReport.waiting
    return sample
  }
}

/// Gives what a load test sees in each second to a program's metrics.
public struct LoadMetrics: Sendable {
  private static let percentiles = [("50", 0.5), ("99", 0.99), ("99.9", 0.999)]

  private let sent: Counter
  private let delivered: Counter
  private let faults: Counter
  private let processors: Gauge
  private let waiting: Gauge
  private let latencies: [Gauge]
  private let memory: [Gauge]

  /// Creates the counters.
  ///
  /// - Parameter factory: Where the metrics go.
  public init(_ factory: any MetricsFactory) {
    func gauge(_ name: String, _ dimensions: [(String, String)] = []) -> Gauge {
      Gauge(label: "proscenium_load_\(name)", dimensions: dimensions, factory: factory)
    }
    func counter(_ name: String) -> Counter {
      Counter(label: "proscenium_load_\(name)", factory: factory)
    }
    sent = counter("events_sent")
    delivered = counter("events_delivered")
    faults = counter("faults")
    processors = gauge("processors")
    waiting = gauge("changes_waiting")
    latencies = Self.percentiles.map {
      gauge("latency_seconds", [("percentile", $0.0)])
    }
    memory = ["allocated", "active", "resident", "retained"].map {
      gauge("memory_bytes", [("kind", $0)])
    }
  }

  /// Takes what was seen in a second.
  public func record(_ sample: LoadSample) {
    sent.increment(by: sample.sent)
    delivered.increment(by: sample.latencies.count)
    faults.increment(by: sample.faults)
    processors.record(sample.processors)
    waiting.record(sample.waiting)
    let all = sample.latencies.all
    for (percentile, gauge) in zip(Self.percentiles, latencies) where all.count > 0 {
      gauge.record(Double(all.quantile(percentile.1)) / 1e9)
    }
    guard let read = sample.memory else { return }
    for (bytes, gauge) in zip([read.allocated, read.active, read.resident, read.retained], memory) {
      gauge.record(bytes)
    }
  }
}
