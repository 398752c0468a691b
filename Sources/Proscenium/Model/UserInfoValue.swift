// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value in the `userInfo` of an activity, a session or an event (R-SR-9).
///
/// A session's `userInfo` is a property list: null, sets and URLs have no place there, see
/// ``isPropertyList``.
///
/// Two values are equal if they have the same type and the same content: the integer 1 and the real
/// 1.0 differ, and so do a URL and the string of its text. Texts are compared as Swift compares
/// strings. A real that is not a number equals every other such real, so that every value equals
/// itself.
public enum UserInfoValue: Sendable {
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
  case array([UserInfoValue])
  /// Values by name.
  case dictionary([String: UserInfoValue])
  /// The absence of a value.
  case null
  /// Different values without order.
  case set(Set<UserInfoValue>)
  /// A URL as its text, which nothing checks or changes.
  case url(String)
}

extension UserInfoValue {
  /// The text, or nil if the value is none; a URL is none.
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
  public var array: [UserInfoValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The values by name, or nil if the value is not a dictionary.
  public var dictionary: [String: UserInfoValue]? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// Whether the value is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The values without order, or nil if the value is not a set.
  public var set: Set<UserInfoValue>? {
    if case .set(let value) = self { value } else { nil }
  }

  /// The URL's text, or nil if the value is not a URL; strings are not converted.
  public var url: String? {
    if case .url(let value) = self { value } else { nil }
  }

  /// Whether a property list can hold the value: it has no null, set or URL at any depth.
  public var isPropertyList: Bool {
    switch self {
    case .string, .integer, .real, .boolean, .date, .data: true
    case .array(let values): values.allSatisfy(\.isPropertyList)
    case .dictionary(let values): values.values.allSatisfy(\.isPropertyList)
    case .null, .set, .url: false
    }
  }
}

extension UserInfoValue: Hashable {
  /// Tells whether two values have the same type and the same content.
  public static func == (left: UserInfoValue, right: UserInfoValue) -> Bool {
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

/// A real number that always equals itself, also when it is not a number.
///
/// Without this a state that holds such a real would differ from its own restoration.
private struct ReflexiveReal: Hashable {
  let value: Double

  init(_ value: Double) {
    self.value = value
  }

  init(_ date: Date) {
    value = date.timeIntervalSinceReferenceDate
  }

  static func == (left: ReflexiveReal, right: ReflexiveReal) -> Bool {
    left.value == right.value || (left.value.isNaN && right.value.isNaN)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(value.isNaN ? Double.nan : value)
  }
}

extension UserInfoValue: ExpressibleByStringLiteral {
  /// Makes a text.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension UserInfoValue: ExpressibleByIntegerLiteral {
  /// Makes a whole number.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension UserInfoValue: ExpressibleByFloatLiteral {
  /// Makes a floating-point number.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension UserInfoValue: ExpressibleByBooleanLiteral {
  /// Makes a truth value.
  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

extension UserInfoValue: ExpressibleByArrayLiteral {
  /// Makes an array of values.
  public init(arrayLiteral elements: UserInfoValue...) {
    self = .array(elements)
  }
}

extension UserInfoValue: ExpressibleByDictionaryLiteral {
  /// Makes a dictionary of values; of two with the same name the later counts.
  public init(dictionaryLiteral elements: (String, UserInfoValue)...) {
    self = .dictionary(Dictionary(elements) { _, later in later })
  }
}
