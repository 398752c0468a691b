// SPDX-License-Identifier: Apache-2.0

/// Signs what a program gives away and wants to recognise when it comes back.
///
/// The keys are derived from the application's keys, so that a rotation of those is one of these:
/// what the previous key has signed is still recognised.
package struct SigningKeys: Sendable {
  /// The number of bytes of a signature: a key's number, and an HMAC with SHA-256.
  package static let signatureSize = numberSize + SecretKey.size

  private static let numberSize = 4

  private struct Key: Sendable {
    /// Bytes by which the key is found; they say nothing about it.
    let number: [UInt8]
    let code: CodeKey

    init(_ key: SecretKey) {
      code = CodeKey(KeyWrapper.derive("proscenium token 1", from: key))
      number = unsafe KeyWrapper.derive("proscenium token number 1", from: key).withUnsafeBytes {
        unsafe Array($0.prefix(SigningKeys.numberSize))
      }
    }

    func signature(of message: [UInt8]) -> [UInt8] {
      unsafe code.secret(of: message).withUnsafeBytes { unsafe number + Array($0) }
    }
  }

  private let keys: [Key]

  /// Derives the keys.
  package init(_ keys: ApplicationKeys) {
    self.keys = [Key(keys.primary)] + (keys.previous.map { [Key($0)] } ?? [])
  }

  /// The signature of a message under the primary key.
  package func signature(of message: [UInt8]) -> [UInt8] {
    keys[0].signature(of: message)
  }

  /// Why a signature is refused.
  package enum Refusal: Error {
    /// No key has its number: it is of another program, or of a key before the last rotation.
    case unknownKey
    /// It is not what the key signs.
    case forged
  }

  /// Checks the signature of a message, in a time that does not depend on where it is wrong.
  package func check(
    _ signature: ArraySlice<UInt8>, of message: [UInt8]
  ) throws(Refusal) {
    guard signature.count == Self.signatureSize,
      let key = keys.first(where: { signature.starts(with: $0.number) })
    else { throw .unknownKey }
    let code = SecretKey(Array(signature.dropFirst(Self.numberSize)))
    guard key.code.secret(of: message) == code else { throw .forged }
  }
}
