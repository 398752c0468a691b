// SPDX-License-Identifier: Apache-2.0

extension PropertyListValue: ExpressibleByStringLiteral {
  /// Makes a text.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension PropertyListValue: ExpressibleByIntegerLiteral {
  /// Makes a whole number.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension PropertyListValue: ExpressibleByFloatLiteral {
  /// Makes a floating-point number.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension PropertyListValue: ExpressibleByBooleanLiteral {
  /// Makes a truth value.
  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

extension PropertyListValue: ExpressibleByArrayLiteral {
  /// Makes an array of values.
  public init(arrayLiteral elements: PropertyListValue...) {
    self = .array(elements)
  }
}

extension PropertyListValue: ExpressibleByDictionaryLiteral {
  /// Makes a dictionary of values; of two with the same name the later counts.
  public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
    self = .dictionary(Dictionary(elements) { _, later in later })
  }
}
