// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A real number that always equals itself, also when it is not a number.
///
/// Without this a state that holds such a real would differ from its own restoration.
struct ReflexiveReal: Hashable {
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
