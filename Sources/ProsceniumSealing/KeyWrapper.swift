// SPDX-License-Identifier: Apache-2.0

/// Wraps the keys of sessions with one application key.
///
/// Wrapping is AES key wrap of RFC 3394, which needs no nonce, under a key that HKDF (RFC 5869)
/// derives from the application key: the application key itself encrypts nothing.
package struct KeyWrapper: Sendable {
  /// The number of bytes of a wrapped key.
  static let wrappedSize = SecretKey.size + 8

  /// 16 bytes by which a store recognises the application key; they say nothing about it.
  package let check: [UInt8]

  private let wrappingKey: SecretKey

  init(wrappingKey: SecretKey, check: [UInt8]) {
    self.wrappingKey = wrappingKey
    self.check = check
  }

  /// Derives what is needed from an application key.
  init(applicationKey: SecretKey) {
    let check = Self.derive("proscenium check 1", from: applicationKey)
    self.init(
      wrappingKey: Self.derive("proscenium wrap 1", from: applicationKey),
      check: unsafe check.withUnsafeBytes { unsafe Array($0.prefix(16)) })
  }

  /// Wraps a session's key: 40 bytes.
  ///
  /// - Throws: `failed`, which does not happen with keys of the right length.
  package func wrap(_ key: SessionKey) throws(SealingError) -> [UInt8] {
    guard let wrapped = PreferredSealing.wrap(key.key, with: wrappingKey) else {
      throw SealingError(.failed, "the key of a session could not be wrapped.")
    }
    return wrapped
  }

  /// Unwraps a session's key, or returns `nil` if the bytes are not what this application key
  /// wrapped.
  func unwrap(_ wrapped: [UInt8]) -> SessionKey? {
    guard wrapped.count == Self.wrappedSize,
      let key = PreferredSealing.unwrap(wrapped, with: wrappingKey)
    else { return nil }
    return SessionKey(key: key)
  }

  /// HKDF with SHA-256 and no salt: an HMAC that extracts, and one that expands.
  private static func derive(_ label: String, from applicationKey: SecretKey) -> SecretKey {
    var material = unsafe applicationKey.withUnsafeBytes { unsafe Array($0) }
    defer { material.wipe() }
    // No salt is one of zeros.
    let extracted = SessionKey(key: CodeKey.known.secret(of: material))
    return extracted.expanded(Array(label.utf8))
  }
}

extension KeyWrapper: CustomStringConvertible, CustomReflectable {
  package var description: String { "a key wrapper" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
