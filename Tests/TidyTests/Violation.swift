// SPDX-License-Identifier: Apache-2.0

/// One place where the tree breaks a rule.
struct Violation: Equatable, Sendable, CustomStringConvertible {
  let path: String
  /// The line's number, from 1.
  let line: Int
  /// What was found, in the words that an ``Allowance`` names it by.
  let subject: String
  /// What to do instead.
  let message: String

  var description: String { "\(path):\(line): \(subject): \(message)" }
}
