// SPDX-License-Identifier: Apache-2.0

/// The number of a session's row, which is never used for another session.
///
/// It is a sequence, which counts all sessions that the store ever had, above a slot of 24 bits,
/// which is used again. Rows are thus appended in the order in which sessions are made, and the
/// slot finds what is in memory of the session without a look-up.
struct SessionNumber: Hashable, Sendable {
  /// The number.
  let rawValue: UInt64

  /// How many sessions a store can keep at once, 16,777,216.
  static let slotLimit = 1 << 24

  /// How many sessions a store can ever have had, over 500 thousand million.
  static let sequenceLimit: UInt64 = 1 << 39

  init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  init(sequence: UInt64, slot: UInt32) {
    rawValue = sequence << 24 | UInt64(slot)
  }

  /// What SQLite has as the number of a row.
  init(row: Int64) {
    rawValue = UInt64(bitPattern: row)
  }

  var row: Int64 { Int64(bitPattern: rawValue) }
  var slot: Int { Int(rawValue & (1 << 24 - 1)) }
  var sequence: UInt64 { rawValue >> 24 }

  /// Whether a store can have given the number.
  var isValid: Bool { sequence > 0 && sequence < Self.sequenceLimit }
}
