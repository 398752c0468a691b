// SPDX-License-Identifier: Apache-2.0

// States whose activity a delegate has written field by field.
extension SavedStateEncoder {
  /// Room for what most states have apart from the fields.
  private static let otherRoom = 64

  /// Encodes the fields that a delegate has written, as the activity of a state.
  ///
  /// - Parameters:
  ///   - written: The fields; without any there is no activity.
  ///   - state: The rest of the state.
  ///   - version: The application's version of it.
  /// - Throws: As ``encode(_:version:)``.
  mutating func encode(
    _ written: borrowing StateWriter, beside state: SavedState, version: StateVersion
  ) throws(SavedStateError) {
    clear()
    do throws(Refusal) {
      if let refusal = written.refusal { throw refusal }
      begin(state, version)
      if written.count > 0 { try fields(written) }
      try rest(state)
    } catch {
      clear()
      var state = state
      state.activity = written.activity
      throw Self.error(error, state, version, limits)
    }
  }

  private mutating func fields(_ written: borrowing StateWriter) throws(Refusal) {
    try text(.activityType, written.activityType)
    valueCount += written.valueCount
    unsafe written.withEntries { entries, count in
      let length = SavedStateForm.length(of: UInt64(count)) + entries.count
      bytes.reserveCapacity(bytes.count + length + Self.otherRoom)
      bytes.append(SavedStateForm.Field.activityUserInfo.rawValue)
      append(number: UInt64(length))
      append(number: UInt64(count))
      unsafe bytes.append(contentsOf: entries)
    }
  }
}
