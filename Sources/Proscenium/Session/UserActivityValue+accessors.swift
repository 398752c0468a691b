// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension UserActivity.Value {
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
  public var array: [UserActivity.Value]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The values by name, or nil if the value is not a dictionary.
  public var dictionary: [String: UserActivity.Value]? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// Whether the value is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The values without order, or nil if the value is not a set.
  public var set: Set<UserActivity.Value>? {
    if case .set(let value) = self { value } else { nil }
  }

  /// The URL's text, or nil if the value is not a URL; strings are not converted.
  public var url: String? {
    if case .url(let value) = self { value } else { nil }
  }
}
