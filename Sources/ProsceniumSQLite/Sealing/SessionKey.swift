// SPDX-License-Identifier: Apache-2.0

/// The key of one session, from which the keys of its records are derived.
///
/// It is random and stands on the disk only wrapped by the application key: when its row is gone,
/// nobody can open what the session's records held.
struct SessionKey: Sendable {
  /// 32 bytes that were drawn uniformly.
  let key: SecretKey

  /// Draws a new key.
  static func random(using generator: inout some RandomNumberGenerator) -> SessionKey {
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
  /// is left out (section 3.3 there). It costs as much as sealing a small record: derive once for a
  /// session and an opening.
  ///
  /// - Parameter salt: The random bytes of the opening.
  /// - Returns: The key.
  func recordKey(salt: [UInt8]) -> RecordKey {
    expanded(Self.label + salt)
  }

  /// The first 32 bytes of HKDF-Expand.
  func expanded(_ info: [UInt8]) -> RecordKey {
    RecordKey(key: PreferredSealing.authenticationCode(of: info + [1], key: key))
  }

  /// What the key is for, so that the bytes are never those of another derivation.
  private static let label = Array("proscenium record 1".utf8)
}

extension SessionKey: CustomStringConvertible, CustomReflectable {
  var description: String { "a session key" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
