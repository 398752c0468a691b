// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Encodes and seals what the scenes of one shard are captured with.
///
/// It is used on the shard's executor alone, so that its lock is never waited for.
final class SavedStateSealer: Sendable {
  private let encoder: Guarded<SavedStateEncoder>
  /// The memory for the fields that a delegate writes.
  private let fields: Guarded<FieldBytes>
  private let limits: SavedStateLimits
  private let writer: SnapshotWriter
  private let version: StateVersion

  init(_ writer: SnapshotWriter, _ version: StateVersion, _ limits: SavedStateLimits) {
    self.writer = writer
    self.version = version
    encoder = Guarded(SavedStateEncoder(limits: limits))
    self.limits = limits
    fields = Guarded(FieldBytes())
  }

  /// Lets a delegate write fields, and a function do something with them.
  func withWriter<Result, Failure: Error>(
    _ body: (inout StateWriter) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // A delegate is not called with the lock held.
    var writer = StateWriter(
      limits: limits,
      memory: fields.withLock { fields in
        defer { fields = FieldBytes() }
        return fields
      })
    defer {
      let memory = writer.takeMemory()
      fields.withLock { $0 = memory }
    }
    return try body(&writer)
  }

  /// A saved state that was sealed.
  struct Sealed: Sendable {
    let bytes: [UInt8]
    /// Its encoding, or nothing if it was not asked for.
    let encoded: [UInt8]
  }

  /// Encodes and seals a saved state.
  ///
  /// - Throws: `limitExceeded`, with the keys that take most of the room, or `notDurable` if the
  ///   store cannot seal it.
  func seal(
    _ saved: SavedState, of session: SessionIdentifier
  ) throws(SceneError) -> [UInt8] {
    try encoder.withLock { (encoder) throws(SceneError) -> [UInt8] in
      try encode(saved, of: session, &encoder)
      return try seal(session, &encoder).bytes
    }
  }

  /// Encodes and seals a captured state, unless its encoding is the last one.
  ///
  /// - Throws: As ``seal(_:of:)``.
  func seal(
    _ saved: SavedState, of session: SessionIdentifier, unless last: [UInt8]?
  ) throws(SceneError) -> Sealed? {
    try encoder.withLock { (encoder) throws(SceneError) -> Sealed? in
      try encode(saved, of: session, &encoder)
      if let last, encoder.isEncoded(as: last) { return nil }
      return try seal(session, &encoder, keepsEncoding: true)
    }
  }

  /// Encodes and seals the fields that a delegate has written, unless the encoding is the last one.
  ///
  /// - Parameters:
  ///   - written: The fields.
  ///   - saved: The rest of the state.
  ///   - session: The session.
  ///   - last: The last encoding.
  /// - Returns: What was sealed; `nil` if the encoding is the last one.
  /// - Throws: As ``seal(_:of:)``.
  func seal(
    _ written: borrowing StateWriter, beside saved: SavedState, of session: SessionIdentifier,
    unless last: [UInt8]?
  ) throws(SceneError) -> Sealed? {
    try encoder.withLock { (encoder) throws(SceneError) -> Sealed? in
      do throws(SavedStateError) {
        try encoder.encode(written, beside: saved, version: version)
      } catch {
        throw Self.refusal(error, session)
      }
      if let last, encoder.isEncoded(as: last) { return nil }
      return try seal(session, &encoder, keepsEncoding: true)
    }
  }

  /// Checks that a saved state is not too large.
  ///
  /// - Throws: `limitExceeded`, with the keys that take most of the room.
  func check(_ saved: SavedState, of session: SessionIdentifier) throws(SceneError) {
    try encoder.withLock { (encoder) throws(SceneError) in
      try encode(saved, of: session, &encoder)
      encoder.withEncoded { _ in }
    }
  }

  private func encode(
    _ saved: SavedState, of session: SessionIdentifier, _ encoder: inout SavedStateEncoder
  ) throws(SceneError) {
    do throws(SavedStateError) {
      try encoder.encode(saved, version: version)
    } catch {
      throw Self.refusal(error, session)
    }
  }

  private static func refusal(
    _ error: SavedStateError, _ session: SessionIdentifier
  ) -> SceneError {
    let isTooLarge = error.code == .limitExceeded
    return SceneError(
      isTooLarge ? .limitExceeded : .notPropertyList, session: session, "\(error)")
  }

  private func seal(
    _ session: SessionIdentifier, _ encoder: inout SavedStateEncoder, keepsEncoding: Bool = false
  ) throws(SceneError) -> Sealed {
    do throws(StoreError) {
      return try encoder.withEncoded { (bytes) throws(StoreError) in
        Sealed(
          bytes: try writer.store.seal(bytes, of: session, epoch: writer.epochs[session]),
          encoded: keepsEncoding ? unsafe bytes.withUnsafeBytes { unsafe Array($0) } : [])
      }
    } catch {
      throw SceneError(.notDurable, session: session, "\(error)")
    }
  }
}
