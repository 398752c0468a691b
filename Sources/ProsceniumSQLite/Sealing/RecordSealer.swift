// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Makes records of states, and states of records.
///
/// A record is a ``RecordHeader``, the ciphertext and a tag of 16 bytes. The last twelve bytes of
/// the header are the nonce: the length and the version. The seal binds the session's identifier,
/// its row and the epoch beside the state, so that a record which was moved to another session, or
/// whose header was changed, does not open.
///
/// No pair of key and nonce repeats, which is all that AES-GCM asks for. The key is derived from
/// the session's random key and from the 32 random bytes of the opening; the version in the nonce
/// counts within the opening and is never given twice. After a crash, in a restored backup and in a
/// copied store, sealing begins with an opening of its own, so that the keys are others even where
/// numbers of openings and counters come again. Compaction moves records as they are.
enum RecordSealer {
  private typealias Library = PreferredSealing

  /// Makes the record of a state.
  ///
  /// - Parameters:
  ///   - state: The encoded state, ``RecordHeader/stateLimit`` bytes at most.
  ///   - sid: The number of the session's row.
  ///   - epoch: The epoch.
  ///   - version: A version that was not used before.
  ///   - identifier: The session's identifier.
  ///   - key: The key of the session in the version's opening.
  /// - Returns: The record.
  /// - Throws: `limitExceeded` if the state is too large.
  static func seal(
    _ state: RawSpan, sid: UInt64, epoch: UInt32, version: UInt64,
    identifier: SessionIdentifier, key: RecordKey
  ) throws(StoreError) -> [UInt8] {
    guard state.byteCount <= RecordHeader.stateLimit else {
      throw StoreError(
        .limitExceeded, session: identifier,
        "expected a state of at most \(RecordHeader.stateLimit) bytes, found \(state.byteCount)")
    }
    let header = RecordHeader(
      sid: sid, epoch: epoch, length: UInt32(state.byteCount), version: version)
    let size = header.recordSize
    let record = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let bytes = unsafe UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: size)
      unsafe header.write(to: bytes)
      let isSealed = header.withSealInputs(of: identifier) { nonce, binding in
        unsafe Library.seal(
          state, nonce: nonce, binding: binding, key: key.key,
          into: UnsafeMutableRawBufferPointer(rebasing: bytes[RecordHeader.size...]))
      }
      count = isSealed ? size : 0
    }
    guard !record.isEmpty else {
      throw StoreError(.failed, session: identifier, "the state could not be sealed.")
    }
    return record
  }

  /// Opens a record.
  ///
  /// - Parameters:
  ///   - record: The record, from its header on; what follows it is ignored.
  ///   - identifier: The session's identifier.
  ///   - key: The key of the session in the record's opening.
  /// - Returns: The state.
  /// - Throws: `damaged` if the record is not what was sealed for the session with the key.
  static func open(
    _ record: RawSpan, identifier: SessionIdentifier, key: RecordKey
  ) throws(StoreError) -> [UInt8] {
    guard let header = RecordHeader(in: record, at: 0) else {
      throw StoreError(
        .damaged, session: identifier,
        "expected a record with its header, found \(record.byteCount) bytes that are none.")
    }
    var isIntact = false
    let size = Int(header.length)
    let state = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      isIntact = header.withSealInputs(of: identifier) { nonce, binding in
        unsafe Library.open(
          record.extracting(RecordHeader.size..<header.recordSize), nonce: nonce, binding: binding,
          key: key.key,
          into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: size))
      }
      count = isIntact ? size : 0
    }
    guard isIntact else {
      throw StoreError(
        .damaged, session: identifier,
        "the record of version \(header.opening).\(header.counter) does not have its seal.")
    }
    return state
  }
}
