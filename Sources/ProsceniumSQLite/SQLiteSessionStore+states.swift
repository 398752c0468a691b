// SPDX-License-Identifier: Apache-2.0

public import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing
import Synchronization

extension SQLiteSessionStore {
  /// The largest encoded state, 128 MiB.
  static let stateLimit = 128 << 20

  /// Seals an encoded state, so that it can be committed.
  ///
  /// - Parameters:
  ///   - state: The encoded state.
  ///   - session: The session; its insertion may be committed later.
  ///   - epoch: The epoch in which it is to be saved.
  /// - Returns: What a change brings.
  /// - Throws: `keyUnavailable` while there is no key; `limitExceeded` if the state is too large.
  public func seal(
    _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
  ) throws(StoreError) -> [UInt8] {
    guard state.byteCount <= Self.stateLimit else {
      throw StoreError(
        .limitExceeded, session: session,
        "expected a state of at most \(Self.stateLimit) bytes, found \(state.byteCount).")
    }
    try parts.requireLoaded()
    let seal = try parts.sealForNext(session)
    let count = parts.sealed.wrappingAdd(1, ordering: .relaxed).newValue
    guard epoch >> 24 == 0, count >> 40 == 0 else {
      throw StoreError(
        .limitExceeded, "\(parts.path): expected a store that was loaded and sealed less often.")
    }
    let place = RecordPlace(stateOf: session, version: UInt64(epoch) << 40 | count)
    return try StoreError.sealing(session) { () throws(SealingError) in
      try RecordSealer.seal(state, as: place, with: seal)
    }
  }

  /// Reads and opens the saved states of sessions.
  ///
  /// - Parameter sessions: The sessions.
  /// - Returns: For each session its encoded state, `nil` if nothing is kept, or an error:
  ///   `damaged` if the state, or what is in the open of the session, is not what was written;
  ///   `keyUnavailable` while there is no key. States of over 4 MiB together are left out.
  public func savedStates(
    of sessions: [SessionIdentifier]
  ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
    do throws(StoreError) {
      try parts.requireLoaded()
      return try parts.readers.withReader { (reader) throws(StoreError) in
        answers(of: sessions) { (session) throws(StoreError) in
          try state(of: session, reader)
        }
      }
    } catch {
      return Dictionary(uniqueKeysWithValues: Set(sessions).map { ($0, .failure(error)) })
    }
  }

  /// Reads and opens the saved state of one session.
  ///
  /// - Parameter session: The session.
  /// - Returns: Its encoded state, or `nil` if nothing is kept.
  /// - Throws: As ``savedStates(of:)`` answers.
  public func savedState(of session: SessionIdentifier) throws(StoreError) -> [UInt8]? {
    try parts.requireLoaded()
    return try parts.readers.withReader { (reader) throws(StoreError) in
      try state(of: session, reader)
    }
  }

  private func state(
    of session: SessionIdentifier, _ reader: StateReader
  ) throws(StoreError) -> [UInt8]? {
    let found = try StoreError.naming(session) { () throws(StoreError) in
      try reader.find(session)
    }
    guard let found else { return nil }
    return try parts.open(found)
  }
}
