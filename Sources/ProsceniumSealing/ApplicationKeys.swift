// SPDX-License-Identifier: Apache-2.0

/// The key that wraps the keys of sessions, and the one before it while keys are being rotated.
///
/// What is written is wrapped by the primary key; what is read may be wrapped by either. The bytes
/// are wiped with the last copy of the value, and are in no description.
public struct ApplicationKeys: Sendable {
  /// The number of bytes of a key, 32.
  public static let keySize = SecretKey.size

  /// The key that wraps what is written.
  let primary: SecretKey

  /// The key that wrapped what was written before the rotation, or `nil`.
  let previous: SecretKey?

  /// Creates the keys from their bytes.
  ///
  /// - Parameters:
  ///   - primary: ``keySize`` bytes that cannot be guessed.
  ///   - previous: ``keySize`` other bytes, the primary key before the last rotation; `nil` if
  ///     nothing is wrapped by another key.
  /// - Throws: `keyUnavailable` if a key has another length.
  public init(primary: [UInt8], previous: [UInt8]? = nil) throws(SealingError) {
    self.primary = try Self.key(primary, "primary")
    self.previous =
      if let previous { try Self.key(previous, "previous") } else { nil }
  }

  private static func key(_ bytes: [UInt8], _ name: String) throws(SealingError) -> SecretKey {
    guard bytes.count == keySize else {
      throw SealingError(
        .keyUnavailable,
        "expected \(keySize) bytes for the \(name) application key, found \(bytes.count).")
    }
    return SecretKey(bytes)
  }
}

extension ApplicationKeys: CustomStringConvertible, CustomReflectable {
  /// Which keys there are, without their bytes.
  public var description: String {
    previous == nil ? "an application key" : "an application key and the one before it"
  }

  /// Shows nothing of the keys.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
