// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the bytes of a message.
public struct ClientProtocolError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place, in bytes from the beginning of the message.
  public let offset: Int

  /// What was expected there.
  public let expected: String

  /// What was found.
  public let found: String

  /// Whether all that is wrong is the version that a client speaks.
  let isVersion: Bool

  init(at offset: Int, _ expected: String, _ found: String, isVersion: Bool = false) {
    self.offset = offset
    self.expected = expected
    self.found = found
    self.isVersion = isVersion
  }

  /// The place, and what was expected and found there.
  public var description: String { "byte \(offset): expected \(expected), found \(found)" }
}
