// SPDX-License-Identifier: Apache-2.0

/// Encodes and seals what the scenes of one shard are captured with.
///
/// It is used on the shard's executor alone, so that its lock is never waited for.
final class SavedStateSealer: Sendable {
  private struct State: ~Copyable {
    var encoder: SavedStateEncoder
    /// What the callback that runs now has captured, sealed already.
    var captured: [UInt8]?
  }

  private let state: Guarded<State>
  private let writer: SnapshotWriter
  private let version: StateVersion

  init(_ writer: SnapshotWriter, _ settings: ApplicationSettings) {
    self.writer = writer
    version = settings.stateMigrations.current
    state = Guarded(State(encoder: SavedStateEncoder(limits: settings.savedStateLimits)))
  }

  /// Encodes and seals a saved state.
  ///
  /// - Throws: `limitExceeded`, with the keys that take most of the room, or `notDurable` if the
  ///   store cannot seal it.
  func seal(
    _ saved: SavedState, of session: SessionIdentifier
  ) throws(SceneError) -> [UInt8] {
    try state.withLock { (state) throws(SceneError) -> [UInt8] in
      state.captured = nil
      do throws(SavedStateError) {
        try state.encoder.encode(saved, version: version)
      } catch {
        throw SceneError(.limitExceeded, session: session, "\(error)")
      }
      do throws(StoreError) {
        return try state.encoder.withEncoded { (bytes) throws(StoreError) in
          try writer.store.seal(bytes, of: session, epoch: writer.epoch)
        }
      } catch {
        throw SceneError(.notDurable, session: session, "\(error)")
      }
    }
  }

  /// Keeps what was sealed until the callback that captured it has returned.
  func keep(_ sealed: [UInt8]) {
    state.withLock { $0.captured = sealed }
  }

  /// Takes what the callback that has just returned captured.
  func takeCaptured() -> [UInt8]? {
    state.withLock { state in
      defer { state.captured = nil }
      return state.captured
    }
  }
}
