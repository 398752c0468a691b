// SPDX-License-Identifier: Apache-2.0

/// Stub.
public struct StateMigrations: Sendable {
  /// Current.
  public var current = StateVersion.unstamped
  /// Creates it.
  public init() {}
  func restore(_ bytes: [UInt8]) throws(SavedStateError) -> SavedState {
    try SavedState(decoding: bytes)
  }
}
