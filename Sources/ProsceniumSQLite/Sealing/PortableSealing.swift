// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Proscenium

/// The Crypto library, which stands on every system.
enum PortableSealing: SealingLibrary {
  static func seal(
    _ plaintext: RawSpan, nonce: RawSpan, binding: RawSpan, key: SymmetricKey,
    into sealed: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let box = try? unsafe nonce.withUnsafeBytes { nonce in
      try unsafe binding.withUnsafeBytes { binding in
        try unsafe plaintext.withUnsafeBytes { plaintext in
          try unsafe AES.GCM.seal(
            plaintext, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: binding)
        }
      }
    }
    guard let box else { return false }
    unsafe sealed.copyBytes(from: box.ciphertext)
    unsafe UnsafeMutableRawBufferPointer(rebasing: sealed[box.ciphertext.count...])
      .copyBytes(from: box.tag)
    return true
  }

  static func open(
    _ sealed: RawSpan, nonce: RawSpan, binding: RawSpan, key: SymmetricKey,
    into plaintext: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let opened = try? unsafe nonce.withUnsafeBytes { nonce in
      try unsafe binding.withUnsafeBytes { binding in
        try unsafe sealed.withUnsafeBytes { sealed in
          try unsafe AES.GCM.open(
            AES.GCM.SealedBox(
              nonce: AES.GCM.Nonce(data: nonce), ciphertext: sealed.dropLast(16),
              tag: sealed.suffix(16)),
            using: key, authenticating: binding)
        }
      }
    }
    guard let opened else { return false }
    unsafe plaintext.copyBytes(from: opened)
    return true
  }

  static func authenticationCode(of message: [UInt8], key: SymmetricKey) -> SymmetricKey {
    SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: message, using: key))
  }

  static func wrap(_ key: SymmetricKey, with wrappingKey: SymmetricKey) -> [UInt8]? {
    (try? AES.KeyWrap.wrap(key, using: wrappingKey)).map { Array($0) }
  }

  static func unwrap(_ wrapped: [UInt8], with wrappingKey: SymmetricKey) -> SymmetricKey? {
    try? AES.KeyWrap.unwrap(wrapped, using: wrappingKey)
  }
}
