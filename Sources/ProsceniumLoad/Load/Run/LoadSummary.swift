// SPDX-License-Identifier: Apache-2.0

public import Proscenium
public import ProsceniumSimulation

/// What a load test measured, and whether the promises held.
public struct LoadSummary: Sendable {
  /// What was run.
  public let scenario: LoadScenario
  /// What was seen each second.
  public let samples: [LoadSample]
  /// How long the counted part took, in seconds.
  public let seconds: Double
  /// Events that were accepted.
  public let sent: Int
  /// How many of those that were due at a moment were sent more than a millisecond after it.
  public let late: Int
  /// Events that were delivered, with their latencies.
  public let latencies: LoadLatencies
  /// How long the same events took in queues with nothing behind them, if that was measured.
  public internal(set) var floor: LatencyHistogram?
  /// How long events take at shares of the rate, if that was measured.
  public private(set) var waits = LoadWaits()
  /// How often each fault was injected.
  public let faults: [FaultKind: Int]
  /// Faults that found nothing to strike, and those that were refused.
  public let missedFaults: Int, refusedFaults: Int
  /// Requests and events that had to be sent again, since the runtime was busy.
  public let busy: Int
  /// Errors that the application reported, and the first of them.
  public let errors: Int, firstError: SceneError?
  /// What was not as it is promised, a sentence for each; empty if everything was.
  public internal(set) var violations: [String] = []
  /// What the generator takes for an event, in seconds of one processor.
  public internal(set) var generatorTime = 0.0
  /// What it took of the allocator.
  public let costs: LoadCosts
  /// Whether the load was ended before its time, so that everything is about what ran until then.
  public package(set) var isInterrupted: Bool

  init(_ run: LoadRun) {
    scenario = run.scenario
    samples = run.samples
    // A launch in the middle counts as well.
    seconds = run.samples.last?.time ?? 0
    sent = run.senders.reduce(0) { $0 + $1.counted }
    late = run.senders.reduce(0) { $0 + $1.late }
    var latencies = LoadLatencies()
    for sample in run.samples { latencies.add(sample.latencies) }
    latencies.add(run.audit.takeLatencies())
    self.latencies = latencies
    faults = run.injector.counts
    missedFaults = run.injector.misses
    refusedFaults = run.injector.refusals
    busy = run.audit.counts[.busy, default: 0]
    (errors, firstError) = run.audit.failures
    costs = LoadCosts(run.samples, empty: run.emptyMemory)
    isInterrupted = run.audit.wasStopped
  }

  /// Takes what was measured at shares of the rate; what was broken there breaks the verdict.
  package mutating func add(_ waits: LoadWaits) {
    self.waits = waits
    violations += waits.violations
  }

  /// The mean rate of accepted events, a second.
  public var rate: Double { seconds > 0 ? Double(sent) / seconds : 0 }

  /// How many events a second were due on average, or nil if none was intended.
  public var intendedRate: Double? {
    guard case .open(let pace) = scenario.pace, seconds > 0 else { return nil }
    return pace.due(at: seconds) / seconds
  }

  /// Whether at least 99 % of the intended rate was sent and delivered; true where there is none.
  public var holdsRate: Bool {
    guard let intendedRate, seconds > 0 else { return true }
    return min(rate, Double(latencies.count) / seconds) >= 0.99 * intendedRate
  }

  /// Which part of the processors' work was the generator's, from 0 to 1; nil if none was seen.
  public var generatorShare: Double? {
    let work = samples.reduce(0) { $0 + $1.processors * $1.seconds }
    return work > 0 ? min(Double(sent) * generatorTime / work, 1) : nil
  }

  /// How many processors were at work on average.
  public var processors: Double {
    seconds > 0 ? samples.reduce(0) { $0 + $1.processors * $1.seconds } / seconds : 0
  }

  /// How much was allocated on average in the last sixth of the time, for each byte in the second
  /// one; nil if there are too few samples.
  public var memoryGrowth: Double? {
    let readings = samples.compactMap { sample in
      sample.memory.map { (share: sample.time / seconds, allocated: Double($0.allocated)) }
    }
    func mean(_ range: Range<Double>) -> Double? {
      let found = readings.filter { range.contains($0.share) }.map(\.allocated)
      return found.isEmpty ? nil : found.reduce(0, +) / Double(found.count)
    }
    guard let early = mean(1 / 6..<1 / 3), let late = mean(5 / 6..<2), early > 0 else { return nil }
    return late / early
  }

  /// The most memory that was resident.
  public var resident: Int { samples.compactMap { $0.memory?.resident }.max() ?? 0 }

  /// The sentences of the thresholds that were crossed.
  public func crossed(_ thresholds: [LoadThreshold]) -> [String] {
    let all = latencies.all
    return thresholds.compactMap { threshold in
      let value: Double =
        switch threshold.figure {
        case .latency(let percentile): Double(all.quantile(percentile / 100)) / 1e9
        case .longest: Double(all.longest) / 1e9
        case .rate: rate
        case .errors: Double(errors)
        case .resident: Double(resident)
        }
      return threshold.isCrossed(by: value) ? threshold.text : nil
    }
  }

  /// The sentences of the thresholds on figures that nothing was measured of.
  private func unmeasured(_ thresholds: [LoadThreshold]) -> [String] {
    thresholds.filter { threshold in
      switch threshold.figure {
      case .latency, .longest: latencies.count == 0
      case .resident: resident == 0
      case .rate, .errors: false
      }
    }.map(\.text)
  }

  /// Whether the promises held, and the thresholds, as long as it ran.
  public func isHeld(_ thresholds: [LoadThreshold]) -> Bool { reasons(thresholds).isEmpty }

  /// The last line: whether the promises held, and the thresholds.
  ///
  /// - Parameter thresholds: What must not be.
  /// - Returns: `held`, `held, stopped early`, or `violated: …`.
  public func verdict(_ thresholds: [LoadThreshold]) -> String {
    let reasons = reasons(thresholds)
    guard reasons.isEmpty else { return "violated: " + reasons.joined(separator: "; ") }
    return isInterrupted ? "held, stopped early" : "held"
  }

  private func reasons(_ thresholds: [LoadThreshold]) -> [String] {
    violations + crossed(thresholds).map { "threshold \($0) was crossed" }
      + unmeasured(thresholds).map { "threshold \($0) was not measured" }
  }
}

/// What everything that happened in a load test took of the allocator, for each event, for each
/// captured state, and for each connected scene; nothing where the allocator does not tell.
public struct LoadCosts: Sendable {
  /// How often memory was allocated, for each delivered event.
  public let allocationsPerEvent: Double?
  /// How many bytes were allocated, freed ones included, for each delivered event.
  public let bytesPerEvent: Double?
  /// How often memory was allocated, for each state that had changed when it was captured.
  public let allocationsPerCapture: Double?
  /// How many bytes were allocated, freed ones included, for each such state.
  public let bytesPerCapture: Double?
  /// How many bytes are allocated beyond what the program had before its first session, for each
  /// connected scene: those of the sessions without scenes among them.
  public let bytesPerConnectedScene: Double?

  /// Computes the costs.
  ///
  /// - Parameters:
  ///   - samples: What was seen each second; the first one is where counting begins.
  ///   - empty: What the allocator had before the first session.
  init(_ samples: [LoadSample], empty: MemoryReading?) {
    // The first reading is at the end of the first second.
    let events = samples.dropFirst().reduce(0) { $0 + $1.latencies.count }
    let captures = samples.dropFirst().reduce(0) { $0 + $1.captures }
    let readings = samples.compactMap(\.memory)
    let allocations = Self.growth(of: \.allocations, in: readings)
    let bytes = Self.growth(of: \.bytesEver, in: readings)
    allocationsPerEvent = Self.ratio(allocations, events)
    bytesPerEvent = Self.ratio(bytes, events)
    allocationsPerCapture = Self.ratio(allocations, captures)
    bytesPerCapture = Self.ratio(bytes, captures)
    let held = readings.last.flatMap { last in empty.map { last.allocated - $0.allocated } }
    bytesPerConnectedScene = Self.ratio(held, samples.last?.connected ?? 0)
  }

  private static func growth(
    of counter: (MemoryReading) -> Int, in readings: [MemoryReading]
  ) -> Int? {
    guard let first = readings.first, let last = readings.last else { return nil }
    return counter(last) - counter(first)
  }

  private static func ratio(_ number: Int?, _ count: Int) -> Double? {
    guard let number, number > 0, count > 0 else { return nil }
    return Double(number) / Double(count)
  }
}

// The results as tables for people.
extension LoadSummary {
  /// The tables.
  public var text: String {
    (isInterrupted ? "stopped early: what follows is about what ran until then\n" : "")
      + figures.table.description + "\n" + columns.table(to: 99.99).description + waits.text
  }

  /// Every figure about the whole run, but for the latencies.
  private var figures: [SummaryFigure] {
    let missed = intendedRate.map { 100 - 100 * rate / $0 }.flatMap { $0 > 1 ? $0 : nil }
    return [
      .init(nil, "complete", isInterrupted ? 0 : 1),
      .init("duration", "time", seconds, .seconds),
      .init("events accepted", "events_sent", sent),
      .init("events delivered", "events_delivered", latencies.count),
      .init("rate", "events_sent_per_second", rate, .perSecond),
      .init("rate intended", "events_intended_per_second", intendedRate, .perSecond),
      .init("rate missed", nil, missed, text: NumberText.fixed(missed ?? 0, places: 1) + " %"),
      .init(intendedRate.map { _ in "sent over 1 ms late" }, "events_sent_late", late),
    ]
      + sortedFaults.map { .init("injected: \($0.kind)", nil, $0.count) } + [
        .init(missedFaults > 0 ? "injected: found nothing" : nil, "faults_missed", missedFaults),
        .init(refusedFaults > 0 ? "injected: refused" : nil, "faults_refused", refusedFaults),
        .init("sent again, as it was busy", "busy_answers", busy),
        .init("errors", "errors", errors), .init(nil, "violations", violations.count),
        .init("scenes connected", nil, samples.last.map { Double($0.connected) }),
      ] + costFigures
  }

  private var costFigures: [SummaryFigure] {
    let (times, bytes) = (costs.allocationsPerEvent ?? 0, Int(costs.bytesPerEvent ?? 0))
    return [
      .init(resident > 0 ? "resident at most" : nil, "resident", Double(resident), .bytes),
      .init(
        "allocated, last against second sixth", "allocated_growth", memoryGrowth,
        text: "×" + NumberText.fixed(memoryGrowth ?? 0, places: 3)),
      .init(
        "allocated an event", "allocations_per_event", costs.allocationsPerEvent,
        text: NumberText.fixed(times, places: 1) + " times, " + NumberText.bytes(bytes)),
      .init(nil, "allocated_per_event", costs.bytesPerEvent, .bytes),
      .init(nil, "allocations_per_capture", costs.allocationsPerCapture),
      .init(nil, "allocated_per_capture", costs.bytesPerCapture, .bytes),
      .init(
        "in use a connected scene", "allocated_per_scene", costs.bytesPerConnectedScene, .bytes),
      .init(
        "processors at work", "processors", processors,
        text: NumberText.fixed(processors, places: 2)),
      .init(
        "of it the generator", "generator_share", generatorShare,
        text: NumberText.fixed(100 * (generatorShare ?? 0), places: 1) + " %, "
          + NumberText.duration(generatorTime) + " an event"),
      .init(nil, "generator_time_per_event", generatorTime, .seconds),
    ]
  }

  private var sortedFaults: [(kind: FaultKind, count: Int)] {
    faults.sorted { "\($0.key)" < "\($1.key)" }.map { ($0, $1) }
  }

  private var columns: [LatencyColumn] {
    [
      LatencyColumn("all", [:], latencies.all),
      LatencyColumn("connected", ["scene": "connected"], latencies.direct),
      LatencyColumn("reconnecting", ["scene": "reconnecting"], latencies.reconnecting),
    ] + (floor.map { [LatencyColumn("floor", ["scene": "floor"], $0)] } ?? [])
  }
}

// The results as rows of the CSV.
extension LoadSummary {
  /// The time series, the summary and the latency histogram.
  public var rows: [CSVRow] {
    samples.flatMap { $0.rows(name: name) } + figures.rows(.load, name: name)
      + columns.rows(name: name) + waits.rows(name: name) + faultRows
  }

  /// The verdict as a row of its own: 1 if everything held, and the sentence in its label.
  ///
  /// - Parameter thresholds: What must not be.
  /// - Returns: The row.
  public func verdictRow(_ thresholds: [LoadThreshold]) -> CSVRow {
    CSVRow.verdict(of: name, verdict(thresholds), isHeld: isHeld(thresholds))
  }

  private var name: String { scenario.name }

  private var faultRows: [CSVRow] {
    sortedFaults.map { kind, count in
      CSVRow(
        .load, name: name, labels: ["kind": "\(kind)"], metric: "faults", value: CSVNumber(count))
    }
  }
}
