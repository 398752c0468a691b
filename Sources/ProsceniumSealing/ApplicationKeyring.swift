// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

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
