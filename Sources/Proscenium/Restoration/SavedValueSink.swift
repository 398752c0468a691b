// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What values are handed over to.
protocol SavedValueSink: ~Copyable {
  mutating func null() throws(SavedStateLimits.Excess)
  mutating func boolean(_ value: Bool) throws(SavedStateLimits.Excess)
  mutating func integer(_ value: Int64) throws(SavedStateLimits.Excess)
  mutating func real(_ value: Double) throws(SavedStateLimits.Excess)
  mutating func date(_ value: Date) throws(SavedStateLimits.Excess)
  mutating func string(_ value: String) throws(SavedStateLimits.Excess)
  mutating func url(_ value: String) throws(SavedStateLimits.Excess)
  mutating func data(_ value: [UInt8]) throws(SavedStateLimits.Excess)

  // The depth is that of the values within.
  mutating func array(
    _ values: [UserInfoValue], depth: Int
  ) throws(SavedStateLimits.Excess)
  mutating func dictionary(
    _ values: [String: UserInfoValue], depth: Int
  ) throws(SavedStateLimits.Excess)
  mutating func set(
    _ values: Set<UserInfoValue>, depth: Int
  ) throws(SavedStateLimits.Excess)
}

extension UserInfoValue {
  /// Hands the value over, to the function of its kind.
  ///
  /// - Parameters:
  ///   - sink: What it is handed over to.
  ///   - depth: How many dictionaries, arrays and sets the value stands in.
  /// - Throws: What the sink does not take.
  func write<Sink: SavedValueSink & ~Copyable>(
    to sink: inout Sink, depth: Int
  ) throws(SavedStateLimits.Excess) {
    switch self {
    case .string(let value): try sink.string(value)
    case .integer(let value): try sink.integer(value)
    case .real(let value): try sink.real(value)
    case .boolean(let value): try sink.boolean(value)
    case .date(let value): try sink.date(value)
    case .data(let value): try sink.data(value)
    case .array(let values): try sink.array(values, depth: depth + 1)
    case .dictionary(let values): try sink.dictionary(values, depth: depth + 1)
    case .null: try sink.null()
    case .set(let values): try sink.set(values, depth: depth + 1)
    case .url(let value): try sink.url(value)
    }
  }
}
