// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Seals and opens bytes with AES-256-GCM, whoever computes it.
protocol RecordCipher: Sendable {
  /// Appends the nonce, the ciphertext and the tag of 16 bytes.
  ///
  /// - Parameters:
  ///   - plaintext: What is sealed.
  ///   - nonce: 12 bytes that were not used with the key before.
  ///   - binding: What has to be the same when the ciphertext is opened.
  ///   - key: The key.
  ///   - output: What the bytes are appended to.
  /// - Throws: `failed`, which leaves the output as it was; it does not happen with keys and nonces
  ///   of the right lengths.
  static func seal(
    _ plaintext: RawSpan, nonce: RawSpan, binding: RawSpan, key: RecordKey,
    into output: inout [UInt8]
  ) throws(StoreError)

  /// Replaces the contents of `output` by the plaintext, if the seal is intact.
  ///
  /// - Parameters:
  ///   - box: The nonce, the ciphertext and the tag.
  ///   - binding: What was given when the plaintext was sealed.
  ///   - key: The key.
  ///   - output: What receives the plaintext.
  /// - Returns: Whether the seal is intact; if not, the output is empty.
  static func open(
    _ box: RawSpan, binding: RawSpan, key: RecordKey, into output: inout [UInt8]
  ) -> Bool
}
