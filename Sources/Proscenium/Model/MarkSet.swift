// SPDX-License-Identifier: Apache-2.0

/// An option set whose marks are read and set one by one.
protocol MarkSet: OptionSet, Sendable where RawValue: FixedWidthInteger, Element == Self {
  var rawValue: RawValue { get set }
}

extension MarkSet {
  /// Whether a mark is set.
  @inline(__always)
  subscript(_ mark: Self) -> Bool {
    get { rawValue & mark.rawValue != 0 }
    set { rawValue = newValue ? rawValue | mark.rawValue : rawValue & ~mark.rawValue }
  }
}
