// SPDX-License-Identifier: Apache-2.0

/// Says why a trace of sessions can't be used, and what was expected.
package struct PolicyTraceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names a kind of failure; more may be added.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, such as `malformedLine`.
    package let rawValue: String

    /// Makes a code from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A line of a recorded trace is not as its first line.
    package static let malformedLine = Code(rawValue: "malformedLine")
    /// The input has more events or sessions than are compared.
    package static let tooLong = Code(rawValue: "tooLong")
    /// The input has no event.
    package static let noEvents = Code(rawValue: "noEvents")
  }

  /// The kind of failure.
  package let code: Code
  /// The path of the input as it was given.
  package let path: String
  /// The number of the line, from 1; nil where no single line is to blame.
  package let line: Int?
  /// One sentence: what was expected and what is the case.
  package let message: String

  /// Makes an error.
  package init(_ code: Code, path: String, line: Int? = nil, message: String) {
    self.code = code
    self.path = path
    self.line = line
    self.message = message
  }

  /// The path, `standard input` for `-`, the line and the sentence.
  package var description: String {
    let place = path == "-" ? "standard input" : path
    return place + (line.map { ": line \($0)" } ?? "") + ": " + message
  }
}
