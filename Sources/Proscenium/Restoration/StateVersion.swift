// SPDX-License-Identifier: Apache-2.0

/// The version of an application's own saved states: what it put into them, and under which keys.
///
/// Versions are numbers that a program counts up when it changes what it captures; the encoding has
/// a version of its own. A state that was saved before the program had versions has version 0.
public struct StateVersion: Sendable, Hashable, RawRepresentable {
  /// The number.
  public let rawValue: UInt32

  /// Makes a version.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The version of states without a stamp, 0.
  public static let unstamped = StateVersion(rawValue: 0)
}

extension StateVersion: ExpressibleByIntegerLiteral {
  /// Makes a version from its number.
  public init(integerLiteral value: UInt32) {
    self.init(rawValue: value)
  }
}

extension StateVersion: Comparable {
  /// Tells whether a version is older than another one.
  public static func < (left: StateVersion, right: StateVersion) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension StateVersion: CustomStringConvertible {
  /// The number as a text.
  public var description: String { "\(rawValue)" }
}
