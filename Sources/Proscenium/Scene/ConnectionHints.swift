// SPDX-License-Identifier: Apache-2.0

/// What a scene has said about its memory, for as long as it is connected.
struct ConnectionHints: Sendable, Equatable {
  /// A policy does not disconnect it.
  var keepsConnected = false
  /// A policy does not disconnect it before this time.
  var delayedUntil: Duration?
  /// How many bytes it takes, if it says so.
  var memoryCost: Int?

  /// Whether the scene stays for now.
  func spares(at time: Duration) -> Bool {
    keepsConnected || delayedUntil.map { time < $0 } ?? false
  }
}
