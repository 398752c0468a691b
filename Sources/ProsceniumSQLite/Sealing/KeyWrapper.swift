// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Proscenium

/// Wraps the keys of sessions with one application key.
///
/// Wrapping is AES key wrap of RFC 3394, which needs no nonce, under a key that HKDF (RFC 5869)
/// derives from the application key: the application key itself encrypts nothing.
struct KeyWrapper: Sendable {
  /// The number of bytes of a wrapped key.
  static let wrappedSize = SessionKey.size + 8

  /// 16 bytes by which a store recognises the application key; they say nothing about it.
  let check: [UInt8]

  private let wrappingKey: SymmetricKey

  init(wrappingKey: SymmetricKey, check: [UInt8]) {
    self.wrappingKey = wrappingKey
    self.check = check
  }

  /// Derives what is needed from an application key.
  init(applicationKey: SymmetricKey) {
    self.init(
      wrappingKey: Self.derive("proscenium wrap 1", 32, from: applicationKey),
      check: unsafe Self.derive("proscenium check 1", 16, from: applicationKey)
        .withUnsafeBytes { unsafe Array($0) })
  }

  /// Wraps a session's key: 40 bytes.
  ///
  /// - Throws: `failed`, which does not happen with keys of the right length.
  func wrap(_ key: SessionKey) throws(StoreError) -> [UInt8] {
    guard let wrapped = PreferredSealing.wrap(key.key, with: wrappingKey) else {
      throw StoreError(.failed, "the key of a session could not be wrapped.")
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

  private static func derive(
    _ label: String, _ count: Int, from applicationKey: SymmetricKey
  ) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: applicationKey, info: Array(label.utf8), outputByteCount: count)
  }
}

extension KeyWrapper: CustomStringConvertible, CustomReflectable {
  var description: String { "a key wrapper" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
