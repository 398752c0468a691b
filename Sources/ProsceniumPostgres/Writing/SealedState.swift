// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumSealing

  /// What a change brings of a saved state: the sealed record, and behind it the session's key
  /// under the application key.
  ///
  /// A session gets its key with its first state, and another one whenever the key is not at hand
  /// and cannot be read without waiting. Each state brings its own, so that what is kept can always
  /// be opened with the key that is kept next to it.
  struct SealedState {
    let version: Int64
    let record: ArraySlice<UInt8>
    let wrappedKey: ArraySlice<UInt8>

    /// Reads what ``bytes(_:_:)`` made, or returns `nil` if it is something else.
    init?(_ bytes: [UInt8]) {
      let size = bytes.count - KeyWrapper.wrappedSize
      guard size >= 0, let version = unsafe RecordSealer.version(of: bytes.span.bytes) else {
        return nil
      }
      self.version = Int64(bitPattern: version)
      record = bytes[..<size]
      wrappedKey = bytes[size...]
    }

    /// Joins a record and a key.
    static func bytes(_ record: [UInt8], _ wrappedKey: [UInt8]) -> [UInt8] { record + wrappedKey }
  }
#endif
