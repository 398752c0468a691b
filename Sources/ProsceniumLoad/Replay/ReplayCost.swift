// SPDX-License-Identifier: Apache-2.0

/// What a replay took.
public struct ReplayCost: Sendable {
  /// From the start to the last delivery, in seconds; neither shutdown nor verification.
  public internal(set) var seconds: Double

  /// How many processors were at work, on average.
  public internal(set) var processors = 0.0

  /// The allocator's counters after the last delivery, with all sessions open.
  public internal(set) var memory: MemoryReading?

  /// The allocations of the whole program, reader and verifier included, for each request.
  public internal(set) var allocationsPerRequest: Double?

  /// What a scene and a session of the runtime cost in memory, measured apart from the run.
  public var sessions: [MemoryCost] = []
}
