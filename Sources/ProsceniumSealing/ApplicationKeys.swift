// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

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

/// The application keys of an open store, as soon as their provider gives them.
package final class ApplicationKeyring: Sendable {
  private struct State: Sendable {
    var ring: KeyRing?
    /// What the store says of the keys with which its sessions' keys are wrapped.
    var checks: [[UInt8]] = []
  }

  private let provider: any KeyProvider
  private let path: String
  private let state = Guarded(State())

  /// Creates a keyring that has not asked for keys yet.
  package init(_ provider: any KeyProvider, path: String) {
    self.provider = provider
    self.path = path
  }

  /// Notes by what the store recognises its keys; those that were given before are checked again.
  package func expect(_ checks: [[UInt8]]) {
    state.withLock { state in
      state.checks = checks.filter { !$0.isEmpty }
      state.ring = nil
    }
  }

  /// The keys.
  ///
  /// - Throws: `wrongKey` if they are not the store's, or whatever the provider throws.
  package func ring() throws(SealingError) -> KeyRing {
    if let ring = state.withLock({ $0.ring }) { return ring }
    let ring = KeyRing(try provider.keys())
    let checks = state.withLock { $0.checks }
    guard checks.allSatisfy(ring.recognises) else {
      throw SealingError(
        .wrongKey,
        checks.count > 1
          ? "\(path): the application key is being changed: expected both keys, the new one first."
          : "\(path): expected the application key that the store is sealed with, found another.")
    }
    state.withLock { $0.ring = ring }
    return ring
  }
}
