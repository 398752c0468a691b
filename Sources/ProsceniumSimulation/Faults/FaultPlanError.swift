// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// Why a text is no ``FaultPlan``.
public struct FaultPlanError: Error, Sendable, Equatable {
  /// What kind of error it is; new ones may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The text is not JSON in UTF-8, or is nested too deeply.
    public static let notJSON = Code(rawValue: "notJSON")
    /// A value has another type than its key says.
    public static let wrongType = Code(rawValue: "wrongType")
    /// An object has a key that a plan does not have there.
    public static let unknownKey = Code(rawValue: "unknownKey")
    /// An object lacks a key.
    public static let missingKey = Code(rawValue: "missingKey")
    /// A key is there twice.
    public static let duplicate = Code(rawValue: "duplicate")
    /// A number is out of its range, or a list or the text is too long.
    public static let outOfRange = Code(rawValue: "outOfRange")
  }

  /// What kind of error it is.
  public let code: Code

  /// Where: the JSON path, such as `$.store.fullPerThousand`, or line and column of text that is no
  /// JSON.
  public let place: String

  /// The file, the place, what was expected there and what was found, as a sentence.
  public let message: String

  /// Creates the error of a file that does not fit.
  init(_ error: JSONFileError) {
    code = Code(rawValue: error.code.rawValue)
    place = error.place
    message = error.description
  }
}

extension FaultPlanError: CustomStringConvertible {
  /// The code and the message in one line.
  public var description: String { "\(code.rawValue): \(message)" }
}
