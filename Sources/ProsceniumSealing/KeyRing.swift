// SPDX-License-Identifier: Apache-2.0

/// The application keys of an opened store: one that wraps, and perhaps an older one that unwraps.
package struct KeyRing: Sendable {
  /// Wraps whatever is written.
  package let primary: KeyWrapper

  /// Unwraps what was written before a rotation.
  package let previous: KeyWrapper?

  /// Derives what is needed from the application's keys.
  package init(_ keys: ApplicationKeys) {
    primary = KeyWrapper(applicationKey: keys.primary)
    previous = keys.previous.map(KeyWrapper.init(applicationKey:))
  }

  /// Whether one of the keys is the one that a check was made from.
  package func recognises(_ check: [UInt8]) -> Bool {
    check == primary.check || check == previous?.check
  }

  /// Unwraps a session's key.
  ///
  /// - Parameter wrapped: What the store keeps.
  /// - Returns: The key, and whether it is to be wrapped again because the previous application key
  ///   wrapped it.
  /// - Throws: `damaged` if the length is wrong; `wrongKey` if no key of the ring fits. A flipped
  ///   bit looks the same as another key: who knows from the store's checks that the ring is
  ///   complete can tell damage from it.
  package func unwrap(
    _ wrapped: [UInt8]
  ) throws(SealingError) -> (key: SessionKey, isOutdated: Bool) {
    guard wrapped.count == KeyWrapper.wrappedSize else {
      throw SealingError(
        .damaged,
        "expected a wrapped key of \(KeyWrapper.wrappedSize) bytes, found \(wrapped.count).")
    }
    if let key = primary.unwrap(wrapped) { return (key, false) }
    if let key = previous?.unwrap(wrapped) { return (key, true) }
    throw SealingError(
      .wrongKey,
      "the session's key is not wrapped by the application key\(previous == nil ? "" : "s").")
  }
}

/// Wraps the keys of sessions with one application key.
///
/// Wrapping is AES key wrap of RFC 3394, which needs no nonce, under a key that HKDF (RFC 5869)
/// derives from the application key: the application key itself encrypts nothing.
package struct KeyWrapper: Sendable {
  /// The number of bytes of a wrapped key.
  package static let wrappedSize = SecretKey.size + 8

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
  static func derive(_ label: String, from applicationKey: SecretKey) -> SecretKey {
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
