// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value that a property list can hold; the values of a session's `userInfo` (R-SR-9).
///
/// Two values are equal if they have the same type and the same content: the integer 1 and the real
/// 1.0 differ. Texts are compared as Swift compares strings. A real that is not a number equals
/// every other such real, so that every value equals itself.
public enum PropertyListValue: Sendable {
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
  case array([PropertyListValue])
  /// Values by name.
  case dictionary([String: PropertyListValue])
}

extension PropertyListValue {
  /// The text, or nil if the value is none.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The whole number, or nil if the value is none; reals are not converted.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The floating-point number, or nil if the value is none; integers are not converted.
  public var real: Double? {
    if case .real(let value) = self { value } else { nil }
  }

  /// The truth value, or nil if the value is none.
  public var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The point in time, or nil if the value is none.
  public var date: Date? {
    if case .date(let value) = self { value } else { nil }
  }

  /// The bytes, or nil if the value has none.
  public var data: [UInt8]? {
    if case .data(let value) = self { value } else { nil }
  }

  /// The values in order, or nil if the value is not an array.
  public var array: [PropertyListValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The values by name, or nil if the value is not a dictionary.
  public var dictionary: [String: PropertyListValue]? {
    if case .dictionary(let value) = self { value } else { nil }
  }
}

extension PropertyListValue: Hashable {
  /// Tells whether two values have the same type and the same content.
  public static func == (left: PropertyListValue, right: PropertyListValue) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): ReflexiveReal(left) == ReflexiveReal(right)
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): ReflexiveReal(left) == ReflexiveReal(right)
    case (.data(let left), .data(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
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
    }
  }
}
