// SPDX-License-Identifier: Apache-2.0

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
    let all = latencies.all
    if all.count == 0 { return rows }
    return rows + [50.0, 99, 99.9].compactMap { CSVRow.latency(of: name, all, $0, time: time) }
  }
}

extension CSVRow {
  /// A percentile of latencies; nil if it is no number.
  static func latency(
    of name: String, _ histogram: LatencyHistogram, _ percentile: Double, time: CSVNumber?,
    labels: [String: String] = [:]
  ) -> CSVRow? {
    CSVRow(
      .load, name: name, labels: labels, time: time, metric: "latency", percentile: percentile,
      measured: Double(histogram.quantile(percentile / 100)) / 1e9, unit: .seconds)
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
