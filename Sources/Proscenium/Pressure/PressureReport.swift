// SPDX-License-Identifier: Apache-2.0

/// What a ``DisconnectionPolicy`` has seen and done.
public struct PressureReport: Sendable, Hashable {
  /// How many scenes are connected.
  public internal(set) var connectedScenes = 0

  /// How many may be, by the policy.
  public internal(set) var sceneLimit: Int?

  /// How many bytes were used when it looked last, as its source counts them.
  public internal(set) var usedBytes: Int?

  /// How many bytes there were when it looked last.
  public internal(set) var limitBytes: Int?

  /// How many scenes were disconnected because there were too many, or too little memory.
  public internal(set) var disconnectedForPressure = 0

  /// How many scenes were disconnected because they were idle.
  public internal(set) var disconnectedWhenIdle = 0
}
