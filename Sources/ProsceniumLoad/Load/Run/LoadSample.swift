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
