// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Proscenium

/// AES-256-GCM of the Crypto library, which stands on every system.
enum PortableCipher: RecordCipher {
  static func seal(
    _ plaintext: RawSpan, nonce: RawSpan, binding: RawSpan, key: RecordKey,
    into output: inout [UInt8]
  ) throws(StoreError) {
    do {
      let box = try unsafe nonce.withUnsafeBytes { nonce in
        try unsafe binding.withUnsafeBytes { binding in
          try unsafe plaintext.withUnsafeBytes { plaintext in
            try unsafe AES.GCM.seal(
              plaintext, using: key.key, nonce: AES.GCM.Nonce(data: nonce),
              authenticating: binding)
          }
        }
      }
      // It is the nonce, the ciphertext and the tag; there is one for nonces of 12 bytes.
      guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
      unsafe combined.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
    } catch {
      throw StoreError(.failed, "the state could not be sealed: \(error)")
    }
  }

  static func open(
    _ box: RawSpan, binding: RawSpan, key: RecordKey, into output: inout [UInt8]
  ) -> Bool {
    output.removeAll(keepingCapacity: true)
    do {
      let plaintext = try unsafe box.withUnsafeBytes { box in
        try unsafe binding.withUnsafeBytes { binding in
          try unsafe AES.GCM.open(
            AES.GCM.SealedBox(combined: box), using: key.key, authenticating: binding)
        }
      }
      unsafe plaintext.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
      return true
    } catch {
      return false
    }
  }
}
