// SPDX-License-Identifier: Apache-2.0

extension UserActivity.Value: ExpressibleByStringLiteral {
  /// Makes a text.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension UserActivity.Value: ExpressibleByIntegerLiteral {
  /// Makes a whole number.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension UserActivity.Value: ExpressibleByFloatLiteral {
  /// Makes a floating-point number.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension UserActivity.Value: ExpressibleByBooleanLiteral {
  /// Makes a truth value.
  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

extension UserActivity.Value: ExpressibleByArrayLiteral {
  /// Makes an array of values.
  public init(arrayLiteral elements: UserActivity.Value...) {
    self = .array(elements)
  }
}

extension UserActivity.Value: ExpressibleByDictionaryLiteral {
  /// Makes a dictionary of values; of two with the same name the later counts.
  public init(dictionaryLiteral elements: (String, UserActivity.Value)...) {
    self = .dictionary(Dictionary(elements) { _, later in later })
  }
}
