// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The application keys of an opened store: one that wraps, and perhaps an older one that unwraps.
struct KeyRing: Sendable {
  /// Wraps whatever is written.
  let primary: KeyWrapper

  /// Unwraps what was written before a rotation.
  let previous: KeyWrapper?

  /// Derives what is needed from the application's keys.
  init(_ keys: ApplicationKeys) {
    primary = KeyWrapper(applicationKey: keys.primary)
    previous = keys.previous.map(KeyWrapper.init(applicationKey:))
  }

  /// Whether one of the keys is the one that a check was made from.
  func recognises(_ check: [UInt8]) -> Bool {
    check == primary.check || check == previous?.check
  }

  /// Unwraps a session's key.
  ///
  /// - Parameters:
  ///   - wrapped: What the store keeps.
  ///   - session: The session, for messages.
  /// - Returns: The key, and whether it is to be wrapped again because the previous application key
  ///   wrapped it.
  /// - Throws: `damaged` if the length is wrong; `wrongKey` if no key of the ring fits. A flipped
  ///   bit looks the same as another key: who knows from the store's checks that the ring is
  ///   complete can tell damage from it.
  func unwrap(
    _ wrapped: [UInt8], of session: SessionIdentifier
  ) throws(StoreError) -> (key: SessionKey, isOutdated: Bool) {
    guard wrapped.count == KeyWrapper.wrappedSize else {
      throw StoreError(
        .damaged, session: session,
        "expected a wrapped key of \(KeyWrapper.wrappedSize) bytes, found \(wrapped.count).")
    }
    if let key = primary.unwrap(wrapped) { return (key, false) }
    if let key = previous?.unwrap(wrapped) { return (key, true) }
    throw StoreError(
      .wrongKey, session: session,
      "the session's key is not wrapped by the application key\(previous == nil ? "" : "s").")
  }
}
