// SPDX-License-Identifier: Apache-2.0

/// What the seal of a record binds: no record opens as that of another place.
package struct RecordPlace: Equatable, Sendable {
  /// What kind of record it is: of a session's saved state, for example.
  package var kind: UInt32
  /// The session's identifier, its first and its last eight bytes.
  package var session: (high: UInt64, low: UInt64)
  /// The epoch in which it was sealed.
  package var epoch: UInt32
  /// A number that is given to one record of an opening.
  package var version: UInt64

  /// Names a place.
  package init(
    kind: UInt32, session: (high: UInt64, low: UInt64), epoch: UInt32, version: UInt64
  ) {
    self.kind = kind
    self.session = session
    self.epoch = epoch
    self.version = version
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.kind == right.kind && left.session == right.session && left.epoch == right.epoch
      && left.version == right.version
  }

  /// Calls `body` with the nonce, which is kind and version, and with what the seal binds.
  func withSealInputs<Result>(_ body: (_ nonce: RawSpan, _ binding: RawSpan) -> Result) -> Result {
    let halves = (
      UInt32(truncatingIfNeeded: version).littleEndian,
      UInt32(truncatingIfNeeded: version >> 32).littleEndian
    )
    let nonce = (kind.littleEndian, halves.0, halves.1)
    let binding = (
      session.high.bigEndian, session.low.bigEndian, kind.littleEndian, epoch.littleEndian,
      halves.0, halves.1
    )
    return unsafe withUnsafeBytes(of: nonce) { nonce in
      unsafe withUnsafeBytes(of: binding) { binding in
        body(unsafe RawSpan(_unsafeBytes: nonce), unsafe RawSpan(_unsafeBytes: binding))
      }
    }
  }
}

/// What the records of one session are sealed with in one opening of a store.
package final class SessionSeal: Sendable {
  /// The session's key.
  package let sessionKey: SessionKey
  /// The random bytes of the opening.
  let salt: SealingSalt
  /// The key of the records of this opening.
  let recordKey: SecretKey
  /// The session's key, prepared for the codes of its row.
  package let codeKey: CodeKey

  /// Derives the key of an opening's records, which costs as much as sealing a small record.
  package init(_ sessionKey: SessionKey, _ salt: SealingSalt) {
    self.sessionKey = sessionKey
    self.salt = salt
    codeKey = CodeKey(sessionKey.key)
    recordKey = codeKey.recordKey(salt)
  }
}

/// Random bytes of one opening of a store, from which the keys of its records are derived.
package struct SealingSalt: Equatable, Sendable {
  /// The number of bytes.
  static let size = 16

  let words: SIMD2<UInt64>

  init(words: SIMD2<UInt64>) {
    self.words = words
  }

  /// Draws new ones.
  package static func random(using generator: inout some RandomNumberGenerator) -> SealingSalt {
    SealingSalt(words: SIMD2(generator.next(), generator.next()))
  }
}

/// Makes records of what is kept of a session, and opens them.
///
/// A record is the version, 8 bytes little-endian, the 16 random bytes of the opening in which it
/// was sealed, the ciphertext and a tag of 16 bytes. The seal binds the ``RecordPlace``, so that a
/// record that was moved to another session, epoch or version does not open.
///
/// No pair of key and nonce repeats, which is all that AES-GCM asks for. The key is derived from
/// the session's random key and from the random bytes of the opening; the version in the nonce is
/// given once in an opening. After a crash, in a restored backup and in a copied store, sealing
/// begins with other random bytes, so that the keys are others even where versions come again.
package enum RecordSealer {
  private typealias Library = PreferredSealing

  private static let headerSize = 8 + SealingSalt.size

  /// The number of bytes that a record has more than what it holds.
  package static let overhead = headerSize + 16

  /// The largest content in bytes, 512 MiB.
  package static let limit = 1 << 29

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - content: What is sealed, ``limit`` bytes at most.
  ///   - place: What is bound; its version was not given before in this opening.
  ///   - seal: The session's keys in this opening.
  /// - Returns: The record.
  /// - Throws: `limitExceeded` if the content is too large.
  package static func seal(
    _ content: RawSpan, as place: RecordPlace, with seal: SessionSeal
  ) throws(SealingError) -> [UInt8] {
    guard content.byteCount <= limit else {
      throw SealingError(
        .limitExceeded, "expected a state of at most \(limit) bytes, found \(content.byteCount).")
    }
    let size = overhead + content.byteCount
    let record = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let bytes = unsafe UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: size)
      unsafe bytes.storeBytes(of: place.version.littleEndian, as: UInt64.self)
      unsafe bytes.storeBytes(of: seal.salt.words[0], toByteOffset: 8, as: UInt64.self)
      unsafe bytes.storeBytes(of: seal.salt.words[1], toByteOffset: 16, as: UInt64.self)
      let isSealed = place.withSealInputs { nonce, binding in
        unsafe Library.seal(
          content, nonce: nonce, binding: binding, key: seal.recordKey,
          into: UnsafeMutableRawBufferPointer(rebasing: bytes[headerSize...]))
      }
      count = isSealed ? size : 0
    }
    if record.isEmpty { throw SealingError(.failed, "the state could not be sealed.") }
    return record
  }

  /// The version that a record names, or `nil` if it is too short for one.
  package static func version(of record: RawSpan) -> UInt64? {
    guard record.byteCount >= overhead else { return nil }
    return unsafe UInt64(
      littleEndian: record.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
  }

  /// Opens a record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - place: What it has to be.
  ///   - seal: The session's keys; those of another opening are derived.
  /// - Returns: What was sealed.
  /// - Throws: `damaged` if the record is not what was sealed there with the session's key.
  package static func open(
    _ record: RawSpan, as place: RecordPlace, with seal: SessionSeal
  ) throws(SealingError) -> [UInt8] {
    guard let version = version(of: record) else {
      throw SealingError(.damaged, "expected a record, found \(record.byteCount) bytes.")
    }
    guard version == place.version else {
      throw SealingError(
        .damaged, "expected a record of version \(place.version), found one of \(version).")
    }
    let salt = unsafe SealingSalt(
      words: record.unsafeLoadUnaligned(fromByteOffset: 8, as: SIMD2<UInt64>.self))
    let key = salt == seal.salt ? seal.recordKey : seal.codeKey.recordKey(salt)
    let size = record.byteCount - overhead
    var isIntact = false
    let content = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      isIntact = place.withSealInputs { nonce, binding in
        unsafe Library.open(
          record.extracting(headerSize..<record.byteCount), nonce: nonce, binding: binding,
          key: key, into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: size))
      }
      count = isIntact ? size : 0
    }
    guard isIntact else {
      throw SealingError(.damaged, "the record of version \(version) does not have its seal.")
    }
    return content
  }
}

extension RecordSealer {
  /// Opens what an earlier version sealed.
  ///
  /// - Returns: What was sealed, or `nil` if it does not have its seal.
  package static func openOld(
    _ sealed: RawSpan, nonce: [UInt8], binding: [UInt8], key: SecretKey
  ) -> [UInt8]? {
    let size = sealed.byteCount - 16
    var isIntact = false
    let content = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      isIntact = unsafe PreferredSealing.open(
        sealed, nonce: nonce.span.bytes, binding: binding.span.bytes, key: key,
        into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: size))
      count = isIntact ? size : 0
    }
    return isIntact ? content : nil
  }
}
