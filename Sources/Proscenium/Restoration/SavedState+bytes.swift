// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

extension SavedState {
  /// Encodes the state.
  ///
  /// Equal states have equal bytes, whatever the order of their dictionaries and sets; texts count
  /// by their bytes, and reals by their bits. An activity's ``UserActivity/needsSave`` and
  /// ``UserActivity/willSave`` are not encoded.
  ///
  /// - Parameters:
  ///   - version: The application's version of the state.
  ///   - limits: What is refused.
  /// - Returns: The bytes, which ``init(decoding:)-(RawSpan)`` reads.
  /// - Throws: `limitExceeded`, with the largest parts of the state, or `notPropertyList`.
  public func encoded(
    version: StateVersion = .unstamped, limits: SavedStateLimits = SavedStateLimits()
  ) throws(SavedStateError) -> [UInt8] {
    let bytes = try Self.spare.withLockIfAvailable { (encoder) throws(SavedStateError) in
      encoder.limits = limits
      return try encoder.bytes(of: self, version: version)
    }
    if let bytes { return bytes }
    // Another thread encodes with it.
    var encoder = SavedStateEncoder(limits: limits)
    return try encoder.bytes(of: self, version: version)
  }

  /// An encoder whose memory is there already, so that only the result has to be allocated.
  private static let spare = Guarded(SavedStateEncoder())

  /// Decodes a state, of whatever version of the application.
  ///
  /// Any bytes may be given. Two keys or members that Swift holds for equal although their bytes
  /// differ become one.
  ///
  /// - Parameter bytes: What ``encoded(version:limits:)`` returned.
  /// - Throws: `damaged`, with the offset and the keys that lead there, or `newerForm`.
  public init(decoding bytes: RawSpan) throws(SavedStateError) {
    self = try Self.decode(bytes).state
  }

  /// Decodes a state, of whatever version of the application.
  ///
  /// Any bytes may be given. Two keys or members that Swift holds for equal although their bytes
  /// differ become one.
  ///
  /// - Parameter bytes: What ``encoded(version:limits:)`` returned.
  /// - Throws: `damaged`, with the offset and the keys that lead there, or `newerForm`.
  public init(decoding bytes: [UInt8]) throws(SavedStateError) {
    try unsafe self.init(decoding: bytes.span.bytes)
  }

  /// Checks bytes without decoding them.
  ///
  /// It allocates nothing unless it throws.
  ///
  /// - Parameter bytes: Any bytes.
  /// - Throws: The error that decoding would throw.
  public static func validate(_ bytes: RawSpan) throws(SavedStateError) {
    _ = try check(bytes)
  }

  /// Checks bytes without decoding them.
  ///
  /// It allocates nothing unless it throws.
  ///
  /// - Parameter bytes: Any bytes.
  /// - Throws: The error that decoding would throw.
  public static func validate(_ bytes: [UInt8]) throws(SavedStateError) {
    try unsafe validate(bytes.span.bytes)
  }

  /// Reads the application's version of an encoded state, and checks all of it.
  ///
  /// - Parameter bytes: What ``encoded(version:limits:)`` returned.
  /// - Returns: The version; 0 if there is no stamp.
  /// - Throws: `damaged` or `newerForm`.
  public static func version(of bytes: [UInt8]) throws(SavedStateError) -> StateVersion {
    try unsafe check(bytes.span.bytes)
  }

  private static func check(_ bytes: RawSpan) throws(SavedStateError) -> StateVersion {
    try SavedStateReader.read(bytes) { (reader) throws(SavedStateError) in try reader.check() }
  }

  /// Decodes a state and the application's version of it.
  static func decode(
    _ bytes: RawSpan
  ) throws(SavedStateError) -> (state: SavedState, version: StateVersion) {
    try SavedStateReader.read(bytes) { (reader) throws(SavedStateError) in try reader.state() }
  }
}
