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

  /// Derives the key of the records that are sealed in one opening of the store.
  ///
  /// It is HKDF-Expand of RFC 5869 with SHA-256, whose only block is one HMAC. The session key is
  /// drawn uniformly, so it is a pseudorandom key as it is, and the extraction before the expansion
  /// is left out (its chapter 3.3).
  func recordKey(_ salt: SealingSalt) -> SecretKey {
    var info = Self.recordLabel
    unsafe withUnsafeBytes(of: salt.words) { unsafe info += $0 }
    return expanded(info)
  }

  /// The first 32 bytes of HKDF-Expand.
  package func expanded(_ info: [UInt8]) -> SecretKey {
    PreferredSealing.authenticationCode(of: info + [1], key: key)
  }

  /// The number of bytes of a code.
  package static let codeSize = 16

  /// The code by which it is seen that a message is what this key's owner wrote: the first half of
  /// an HMAC.
  package func code(of message: [UInt8]) -> [UInt8] {
    let code = PreferredSealing.authenticationCode(of: Self.codeLabel + message, key: key)
    return unsafe code.withUnsafeBytes { unsafe Array($0.prefix(Self.codeSize)) }
  }

  // What a key is derived for, so that the bytes are never those of another derivation.
  private static let recordLabel = Array("proscenium record 2".utf8)
  private static let codeLabel = Array("proscenium row 1".utf8)
}

extension SessionKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "a session key" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
