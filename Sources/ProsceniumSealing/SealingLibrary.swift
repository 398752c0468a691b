// SPDX-License-Identifier: Apache-2.0

/// The functions that sealing is made of, in either library.
protocol SealingLibrary: Sendable {
  /// AES-256-GCM.
  ///
  /// - Parameters:
  ///   - plaintext: What is sealed.
  ///   - nonce: 12 bytes that were not used with the key before.
  ///   - binding: What has to be the same when the ciphertext is opened.
  ///   - key: The key.
  ///   - sealed: Receives the ciphertext and the tag of 16 bytes, and has room for just them.
  /// - Returns: Whether it could be computed, which it always can.
  static func seal(
    _ plaintext: RawSpan, nonce: RawSpan, binding: RawSpan, key: SecretKey,
    into sealed: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// Opens what was sealed.
  ///
  /// - Parameters:
  ///   - sealed: The ciphertext and the tag.
  ///   - nonce: The nonce that it was sealed with.
  ///   - binding: What was given when it was sealed.
  ///   - key: The key.
  ///   - plaintext: Receives the plaintext, and has room for just it.
  /// - Returns: Whether the seal is intact; if not, what was received is to be thrown away.
  static func open(
    _ sealed: RawSpan, nonce: RawSpan, binding: RawSpan, key: SecretKey,
    into plaintext: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// A key that HMAC with SHA-256 is prepared for.
  associatedtype PreparedKey: Sendable

  /// Prepares a key for codes.
  static func prepare(_ key: SecretKey) -> PreparedKey

  /// HMAC with SHA-256.
  ///
  /// - Parameters:
  ///   - message: What is authenticated.
  ///   - key: The key.
  ///   - code: Receives the code of 32 bytes.
  static func authenticate(
    _ message: RawSpan, with key: PreparedKey, into code: UnsafeMutableRawBufferPointer)

  /// AES key wrap of RFC 3394.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - wrappingKey: The key that wraps.
  /// - Returns: 40 bytes, or `nil` if they could not be computed, which they always can.
  static func wrap(_ key: SecretKey, with wrappingKey: SecretKey) -> [UInt8]?

  /// Unwraps a key.
  ///
  /// - Parameters:
  ///   - wrapped: 40 bytes.
  ///   - wrappingKey: The key that wraps.
  /// - Returns: The key, or `nil` if the bytes are not what the wrapping key wrapped.
  static func unwrap(_ wrapped: [UInt8], with wrappingKey: SecretKey) -> SecretKey?
}

// What the system has: nothing that would have to be built with every program.
#if canImport(CryptoKit)
  typealias PreferredSealing = CryptoKitSealing
#else
  typealias PreferredSealing = LibcryptoSealing
#endif
