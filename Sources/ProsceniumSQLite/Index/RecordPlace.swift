// SPDX-License-Identifier: Apache-2.0

/// Where the record of a session stands, in 64 bits: a segment, the offset in it, and some bits of
/// the record's version.
struct RecordPlace: Equatable, Sendable {
  private let rawValue: UInt64

  /// The first offset at which no record begins: a segment is full there.
  static let offsetLimit = 1 << 20

  /// How many segments there can be at once.
  static let segmentLimit = 1 << 24 - 2

  /// There is no record.
  static let none = RecordPlace(rawValue: 0)

  /// There is a record, and it is damaged.
  static let damaged = RecordPlace(rawValue: UInt64.max)

  private init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  init(segment: UInt32, offset: Int, version: UInt64) {
    rawValue = UInt64(segment + 1) << 40 | UInt64(offset) << 20 | Self.check(version)
  }

  /// The segment's handle, or `nil` if there is no readable record.
  var segment: UInt32? {
    self == .none || self == .damaged ? nil : UInt32(rawValue >> 40) - 1
  }

  /// The offset of the record in its segment.
  var offset: Int { Int(rawValue >> 20) & (Self.offsetLimit - 1) }

  /// Whether a record at the place can have the version.
  func fits(_ version: UInt64) -> Bool {
    rawValue & (1 << 20 - 1) == Self.check(version)
  }

  private static func check(_ version: UInt64) -> UInt64 {
    (version ^ version >> 40) & (1 << 20 - 1)
  }
}
