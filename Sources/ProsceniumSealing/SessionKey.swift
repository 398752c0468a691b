// SPDX-License-Identifier: Apache-2.0

/// The key of one session, from which the keys of its records are derived.
///
/// It is random and is on the disk only wrapped by the application key: when its row is gone,
/// nothing can open what the session's records held.
package struct SessionKey: Sendable {
  /// 32 bytes that were drawn uniformly.
  let key: SecretKey

  /// Draws a new key.
  package static func random(using generator: inout some RandomNumberGenerator) -> SessionKey {
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: SecretKey.size / 8) { words in
      let bytes = UnsafeMutableRawBufferPointer(words)
      defer { unsafe bytes.wipe() }
      for index in words.indices { unsafe words[index] = generator.next() }
      return unsafe SessionKey(key: SecretKey(bytes.bytes))
    }
  }

  /// The first 32 bytes of HKDF-Expand.
  package func expanded(_ info: [UInt8]) -> SecretKey {
    CodeKey(key).secret(of: info + [1])
  }
}

/// A code by which it is seen that a message is what a key's owner wrote: half an HMAC-SHA-256.
package struct MessageCode: Equatable, Sendable {
  /// The number of bytes.
  package static let size = 16

  private let words: SIMD2<UInt64>

  /// Reads a code, or returns `nil` if the bytes are none.
  package init?(_ bytes: RawSpan) {
    guard bytes.byteCount == Self.size else { return nil }
    words = unsafe bytes.unsafeLoadUnaligned(as: SIMD2<UInt64>.self)
  }

  fileprivate init(prefixOf bytes: RawSpan) {
    words = unsafe bytes.unsafeLoadUnaligned(as: SIMD2<UInt64>.self)
  }

  /// Calls a function with the bytes.
  package func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe Swift.withUnsafeBytes(of: words) { (bytes) throws(Failure) in
      try unsafe body(bytes)
    }
  }
}

/// A key for the codes of messages, prepared once for all of them.
package struct CodeKey: Sendable {
  private let prepared: PreferredSealing.PreparedKey

  init(_ key: SecretKey) {
    prepared = PreferredSealing.prepare(key)
  }

  /// A key that everybody knows: its codes are checksums.
  package static let known = CodeKey(SecretKey([UInt8](repeating: 0, count: SecretKey.size)))

  /// The code of a message.
  package func code(of message: RawSpan) -> MessageCode {
    unsafe withCode(of: message) { code in MessageCode(prefixOf: unsafe code.bytes) }
  }

  /// Derives the key of the records that are sealed in one opening of the store, where this is a
  /// session's key.
  ///
  /// It is HKDF-Expand of RFC 5869 with SHA-256, whose only block is one HMAC. The session key is
  /// drawn uniformly, so it is a pseudorandom key as it is, and the extraction before the expansion
  /// is left out (its chapter 3.3).
  func recordKey(_ salt: SealingSalt) -> SecretKey {
    var info = Self.recordLabel
    unsafe withUnsafeBytes(of: salt.words) { unsafe info += $0 }
    return secret(of: info + [1])
  }

  // What a key is derived for, so that the bytes are never those of another derivation; no message
  // that a code is made of begins with its first letter.
  private static let recordLabel = Array("proscenium record 2".utf8)

  /// The whole HMAC of a message, as a key.
  func secret(of message: [UInt8]) -> SecretKey {
    unsafe withCode(of: message.span.bytes) { code in unsafe SecretKey(code.bytes) }
  }

  private func withCode<Result>(
    of message: RawSpan, _ body: (UnsafeMutableRawBufferPointer) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(byteCount: SecretKey.size, alignment: 8) { code in
      defer { unsafe code.wipe() }
      unsafe PreferredSealing.authenticate(message, with: prepared, into: code)
      return unsafe body(code)
    }
  }
}

extension SessionKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "a session key" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
