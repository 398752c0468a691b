// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  /// What Apple's systems have.
  enum CryptoKitSealing: SealingLibrary {
    static func seal(
      _ plaintext: RawSpan, nonce: RawSpan, binding: RawSpan, key: SecretKey,
      into sealed: UnsafeMutableRawBufferPointer
    ) -> Bool {
      let box = try? unsafe nonce.withUnsafeBytes { nonce in
        try unsafe binding.withUnsafeBytes { binding in
          try unsafe plaintext.withUnsafeBytes { plaintext in
            try unsafe AES.GCM.seal(
              plaintext, using: key.symmetric, nonce: AES.GCM.Nonce(data: nonce),
              authenticating: binding)
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
      _ sealed: RawSpan, nonce: RawSpan, binding: RawSpan, key: SecretKey,
      into plaintext: UnsafeMutableRawBufferPointer
    ) -> Bool {
      let opened = try? unsafe nonce.withUnsafeBytes { nonce in
        try unsafe binding.withUnsafeBytes { binding in
          try unsafe sealed.withUnsafeBytes { sealed in
            try unsafe AES.GCM.open(
              AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce), ciphertext: sealed.dropLast(16),
                tag: sealed.suffix(16)),
              using: key.symmetric, authenticating: binding)
          }
        }
      }
      guard let opened else { return false }
      unsafe plaintext.copyBytes(from: opened)
      return true
    }

    static func prepare(_ key: SecretKey) -> SecretKey { key }

    static func authenticate(
      _ message: RawSpan, with key: SecretKey, into code: UnsafeMutableRawBufferPointer
    ) {
      var hmac = HMAC<SHA256>(key: key.symmetric)
      unsafe message.withUnsafeBytes { unsafe hmac.update(data: $0) }
      unsafe code.copyBytes(from: hmac.finalize())
    }

    static func wrap(_ key: SecretKey, with wrappingKey: SecretKey) -> [UInt8]? {
      (try? AES.KeyWrap.wrap(key.symmetric, using: wrappingKey.symmetric)).map { Array($0) }
    }

    static func unwrap(_ wrapped: [UInt8], with wrappingKey: SecretKey) -> SecretKey? {
      (try? AES.KeyWrap.unwrap(wrapped, using: wrappingKey.symmetric)).map(\.secret)
    }
  }

  extension SecretKey {
    fileprivate var symmetric: SymmetricKey {
      unsafe withUnsafeBytes { unsafe SymmetricKey(data: $0) }
    }
  }

  extension SymmetricKey {
    fileprivate var secret: SecretKey { unsafe withUnsafeBytes { unsafe SecretKey($0.bytes) } }
  }
#endif
