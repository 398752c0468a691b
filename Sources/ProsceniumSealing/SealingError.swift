// SPDX-License-Identifier: Apache-2.0

/// Why a key cannot be had, or something sealed cannot be opened.
public struct SealingError: Error, Sendable, Equatable {
  /// What kind of error it is.
  public enum Code: String, Sendable, Hashable {
    /// There is no key now.
    case keyUnavailable
    /// It is sealed with another key.
    case wrongKey
    /// What was sealed does not have its seal.
    case damaged
    /// Something is larger than its limit.
    case limitExceeded
    /// No room is left for the file of a key.
    case full
    /// The system refuses to read or write.
    case failed
  }

  /// What kind of error it is.
  public let code: Code

  /// What was expected, what was found, and where; never a key.
  public let message: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: What kind of error it is.
  ///   - message: What was expected, what was found, and where; never a key.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension SealingError: CustomStringConvertible {
  /// The code and the message in one line.
  public var description: String { "\(code.rawValue): \(message)" }
}
