// SPDX-License-Identifier: Apache-2.0

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
