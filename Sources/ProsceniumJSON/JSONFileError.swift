// SPDX-License-Identifier: Apache-2.0

/// Says why a JSON file does not fit its format: where, what was expected and what was found.
package struct JSONFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names a kind of misfit; more may be added.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, such as `unknownKey`.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The file is not JSON in UTF-8, or is nested too deeply.
    package static let notJSON = Code(rawValue: "notJSON")
    /// A value has another type than the format says.
    package static let wrongType = Code(rawValue: "wrongType")
    /// An object has a key that the format does not know, or not at this place.
    package static let unknownKey = Code(rawValue: "unknownKey")
    /// An object lacks a key.
    package static let missingKey = Code(rawValue: "missingKey")
    /// A text is none of those that the format lists, or names something that is not there.
    package static let unknownValue = Code(rawValue: "unknownValue")
    /// A name that has to be unique is there twice.
    package static let duplicate = Code(rawValue: "duplicate")
    /// A number or a length is out of its range.
    package static let outOfRange = Code(rawValue: "outOfRange")
  }

  /// The kind of misfit.
  package let code: Code
  /// The name of the file, as it was given.
  package let file: String
  /// The JSON path, such as `$.cases[12].expect.rule`, or line and column of text that is no JSON.
  package let place: String
  /// What was expected, as part of a sentence.
  package let expected: String
  /// What was found instead, as part of a sentence.
  package let found: String

  package init(
    _ code: Code, file: String, place: String, expected: String, found: String
  ) {
    self.code = code
    self.file = file
    self.place = place
    self.expected = expected
    self.found = found
  }

  /// The file, the place and the sentence.
  package var description: String {
    "\(file == "-" ? "standard input" : file): \(place): expected \(expected), found \(found)."
  }
}
