// SPDX-License-Identifier: Apache-2.0

/// Why a client cannot go on with what it shows: everything before the reset is void, and the scene
/// has emitted everything again (`scene(_:renderAfter:)`).
public enum OutputReset: String, Sendable, Hashable, CaseIterable {
  /// The client is new, or shows nothing.
  case new
  /// What the client has seen is of another epoch: the application was launched since, or the
  /// client was away for longer than frames are kept.
  case epoch
  /// The client was too slow, or away for too long: frames that it has not seen are not kept any
  /// more.
  case overflow
  /// The session has not remembered the client: its input that was not acknowledged is not applied
  /// any more.
  case forgotten
}
