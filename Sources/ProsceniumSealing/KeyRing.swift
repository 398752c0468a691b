// SPDX-License-Identifier: Apache-2.0

/// The application keys of an opened store: one that wraps, and perhaps an older one that unwraps.
package struct KeyRing: Sendable {
  /// Wraps whatever is written.
  package let primary: KeyWrapper

  /// Unwraps what was written before a rotation.
  package let previous: KeyWrapper?

  /// Derives what is needed from the application's keys.
  package init(_ keys: ApplicationKeys) {
    primary = KeyWrapper(applicationKey: keys.primary)
    previous = keys.previous.map(KeyWrapper.init(applicationKey:))
  }

  /// Whether one of the keys is the one that a check was made from.
  package func recognises(_ check: [UInt8]) -> Bool {
    check == primary.check || check == previous?.check
  }

  /// Unwraps a session's key.
  ///
  /// - Parameter wrapped: What the store keeps.
  /// - Returns: The key, and whether it is to be wrapped again because the previous application key
  ///   wrapped it.
  /// - Throws: `damaged` if the length is wrong; `wrongKey` if no key of the ring fits. A flipped
  ///   bit looks the same as another key: who knows from the store's checks that the ring is
  ///   complete can tell damage from it.
  package func unwrap(
    _ wrapped: [UInt8]
  ) throws(SealingError) -> (key: SessionKey, isOutdated: Bool) {
    guard wrapped.count == KeyWrapper.wrappedSize else {
      throw SealingError(
        .damaged,
        "expected a wrapped key of \(KeyWrapper.wrappedSize) bytes, found \(wrapped.count).")
    }
    if let key = primary.unwrap(wrapped) { return (key, false) }
    if let key = previous?.unwrap(wrapped) { return (key, true) }
    throw SealingError(
      .wrongKey,
      "the session's key is not wrapped by the application key\(previous == nil ? "" : "s").")
  }
}
