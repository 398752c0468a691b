// SPDX-License-Identifier: Apache-2.0

/// Why a line has ended.
public enum LineEnd: Sendable, Hashable {
  /// Another line of the same client, or a client that took over, has its place.
  case takenOver
  /// The session has ended.
  case sessionEnded
  /// The application has ended; the client can come back after the next launch.
  case applicationEnded
  /// The session is served by another process from here on, or by none for now: the client comes
  /// back, at the address if that is known, and goes on.
  case moved(address: String?)
  /// An input had a number that was not the next one.
  case wrongInput(expected: UInt64)
  /// What the scene emitted at once was more than is kept for a client.
  case outputTooLarge
}
