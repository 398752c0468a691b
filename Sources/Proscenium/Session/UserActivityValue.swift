// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension UserActivity {
  /// A value in an activity's `userInfo`: whatever a property list can hold, and null, sets and
  /// URLs (R-SR-9).
  ///
  /// Two values are equal if they have the same type and the same content, by the rules of
  /// ``PropertyListValue``; a URL differs from the string of its text.
  public enum Value: Sendable {
    /// A text.
    case string(String)
    /// A whole number of 64 bits.
    case integer(Int64)
    /// A floating-point number of double precision.
    case real(Double)
    /// True or false.
    case boolean(Bool)
    /// A point in time.
    case date(Date)
    /// Uninterpreted bytes.
    case data([UInt8])
    /// Values in order.
    case array([Value])
    /// Values by name.
    case dictionary([String: Value])
    /// The absence of a value.
    case null
    /// Different values without order.
    case set(Set<Value>)
    /// A URL as its text, which nothing checks or changes.
    case url(String)
  }
}

extension UserActivity.Value {
  /// Makes the same value as one of a property list.
  ///
  /// - Parameter value: The value; it stays what it is, at every depth.
  public init(_ value: PropertyListValue) {
    switch value {
    case .string(let value): self = .string(value)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .boolean(let value): self = .boolean(value)
    case .date(let value): self = .date(value)
    case .data(let value): self = .data(value)
    case .array(let value): self = .array(value.map(UserActivity.Value.init))
    case .dictionary(let value): self = .dictionary(value.mapValues(UserActivity.Value.init))
    }
  }

  /// The same value as one of a property list, or nil if it holds null, a set or a URL anywhere.
  public var propertyList: PropertyListValue? {
    switch self {
    case .string(let value): return .string(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .boolean(let value): return .boolean(value)
    case .date(let value): return .date(value)
    case .data(let value): return .data(value)
    case .array(let value):
      let elements = value.compactMap(\.propertyList)
      return elements.count == value.count ? .array(elements) : nil
    case .dictionary(let value):
      let elements = value.compactMapValues(\.propertyList)
      return elements.count == value.count ? .dictionary(elements) : nil
    case .null, .set, .url: return nil
    }
  }
}

extension UserActivity.Value: Hashable {
  /// Tells whether two values have the same type and the same content.
  public static func == (left: UserActivity.Value, right: UserActivity.Value) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): ReflexiveReal(left) == ReflexiveReal(right)
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): ReflexiveReal(left) == ReflexiveReal(right)
    case (.data(let left), .data(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.null, .null): true
    case (.set(let left), .set(let right)): left == right
    case (.url(let left), .url(let right)): left == right
    default: false
    }
  }

  /// Hashes the value's type and content.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let value): hasher.combine(0); hasher.combine(value)
    case .integer(let value): hasher.combine(1); hasher.combine(value)
    case .real(let value): hasher.combine(2); hasher.combine(ReflexiveReal(value))
    case .boolean(let value): hasher.combine(3); hasher.combine(value)
    case .date(let value): hasher.combine(4); hasher.combine(ReflexiveReal(value))
    case .data(let value): hasher.combine(5); hasher.combine(value)
    case .array(let value): hasher.combine(6); hasher.combine(value)
    case .dictionary(let value): hasher.combine(7); hasher.combine(value)
    case .null: hasher.combine(8)
    case .set(let value): hasher.combine(9); hasher.combine(value)
    case .url(let value): hasher.combine(10); hasher.combine(value)
    }
  }
}
