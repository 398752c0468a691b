// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value in a `userInfo`, as it is encoded, decoded, measured and shown.
protocol SavedValue: Hashable, Sendable {
  /// Hands the value over, to the function of its kind.
  ///
  /// - Parameters:
  ///   - sink: What it is handed over to.
  ///   - depth: How many dictionaries, arrays and sets the value stands in.
  /// - Throws: What the sink does not take.
  func write<Sink: SavedValueSink & ~Copyable>(
    to sink: inout Sink, depth: Int
  ) throws(SavedStateLimits.Excess)

  static func string(_ value: String) -> Self
  static func integer(_ value: Int64) -> Self
  static func real(_ value: Double) -> Self
  static func boolean(_ value: Bool) -> Self
  static func date(_ value: Date) -> Self
  static func data(_ value: [UInt8]) -> Self
  static func array(_ values: [Self]) -> Self
  static func dictionary(_ values: [String: Self]) -> Self

  /// The kinds of values that there are beside those of a property list.
  static var special: SpecialValues<Self>? { get }
}

/// How values are made that a property list does not have.
struct SpecialValues<Value: Hashable> {
  let null: Value
  let set: (Set<Value>) -> Value
  let url: (String) -> Value
}

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
  mutating func array<Value: SavedValue>(
    _ values: [Value], depth: Int
  ) throws(SavedStateLimits.Excess)
  mutating func dictionary<Value: SavedValue>(
    _ values: [String: Value], depth: Int
  ) throws(SavedStateLimits.Excess)
  mutating func set<Value: SavedValue>(
    _ values: Set<Value>, depth: Int
  ) throws(SavedStateLimits.Excess)
}

extension UserActivity.Value: SavedValue {
  static var special: SpecialValues<UserActivity.Value>? {
    SpecialValues(null: .null, set: { .set($0) }, url: { .url($0) })
  }

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

extension PropertyListValue: SavedValue {
  static var special: SpecialValues<PropertyListValue>? { nil }

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
    }
  }
}
