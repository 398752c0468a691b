// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Encodes and seals what the scenes of one shard are captured with.
///
/// It is used on the shard's executor alone, so that its lock is never waited for.
final class SavedStateSealer: Sendable {
  private struct State: ~Copyable {
    var encoder: SavedStateEncoder
    /// What the callback that runs now has captured.
    var captured: Captured?
  }

  /// What was captured: sealed already, and its activity, as long as that need not be decoded.
  private struct Captured: Sendable {
    let sealed: [UInt8]
    let activity: UserActivity?
  }

  private let state: Guarded<State>
  private let writer: SnapshotWriter
  private let version: StateVersion

  init(_ writer: SnapshotWriter, _ settings: ApplicationSettings) {
    self.writer = writer
    version = settings.stateMigrations.current
    state = Guarded(State(encoder: SavedStateEncoder(limits: settings.savedStateLimits)))
  }

  /// A saved state that was sealed.
  struct Sealed: Sendable {
    let bytes: [UInt8]
    /// Its encoding, or nothing if nobody asked for it.
    let encoded: [UInt8]
  }

  /// Encodes and seals a saved state.
  ///
  /// - Throws: `limitExceeded`, with the keys that take most of the room, or `notDurable` if the
  ///   store cannot seal it.
  func seal(
    _ saved: SavedState, of session: SessionIdentifier
  ) throws(SceneError) -> [UInt8] {
    try state.withLock { (state) throws(SceneError) -> [UInt8] in
      try encode(saved, of: session, &state.encoder)
      return try seal(session, &state).bytes
    }
  }

  /// Encodes and seals a captured state, unless its encoding is the last one.
  ///
  /// - Throws: As ``seal(_:of:)``.
  func seal(
    _ saved: SavedState, of session: SessionIdentifier, unless last: [UInt8]?
  ) throws(SceneError) -> Sealed? {
    try state.withLock { (state) throws(SceneError) -> Sealed? in
      try encode(saved, of: session, &state.encoder)
      if let last, state.encoder.isEncoded(as: last) { return nil }
      return try seal(session, &state, keepsEncoding: true)
    }
  }

  /// Checks that a saved state is not too large.
  ///
  /// - Throws: `limitExceeded`, with the keys that take most of the room.
  func check(_ saved: SavedState, of session: SessionIdentifier) throws(SceneError) {
    try state.withLock { (state) throws(SceneError) in
      try encode(saved, of: session, &state.encoder)
      state.encoder.withEncoded { _ in }
    }
  }

  private func encode(
    _ saved: SavedState, of session: SessionIdentifier, _ encoder: inout SavedStateEncoder
  ) throws(SceneError) {
    do throws(SavedStateError) {
      try encoder.encode(saved, version: version)
    } catch {
      throw SceneError(.limitExceeded, session: session, "\(error)")
    }
  }

  private func seal(
    _ session: SessionIdentifier, _ state: inout State, keepsEncoding: Bool = false
  ) throws(SceneError) -> Sealed {
    state.captured = nil
    do throws(StoreError) {
      return try state.encoder.withEncoded { (bytes) throws(StoreError) in
        Sealed(
          bytes: try writer.store.seal(bytes, of: session, epoch: writer.epoch),
          encoded: keepsEncoding ? unsafe bytes.withUnsafeBytes { unsafe Array($0) } : [])
      }
    } catch {
      throw SceneError(.notDurable, session: session, "\(error)")
    }
  }

  /// Keeps what was sealed until the callback that captured it has returned.
  func keep(_ sealed: [UInt8], of activity: UserActivity?) {
    state.withLock { $0.captured = Captured(sealed: sealed, activity: activity) }
  }

  /// The activity that the callback that runs now has captured.
  var capturedActivity: UserActivity? { state.withLock { $0.captured?.activity } }

  /// Takes what the callback that has just returned captured.
  func takeCaptured() -> [UInt8]? {
    state.withLock { state in
      defer { state.captured = nil }
      return state.captured?.sealed
    }
  }
}
