// SPDX-License-Identifier: Apache-2.0

/// Why a node cannot listen for the others.
public struct LinkError: Error, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: String, Sendable {
    /// Another process listens at the address.
    case addressInUse
    /// The system does not let the process listen at the address, or there is no such one.
    case addressRefused
    /// The process cannot make a certificate.
    case noCertificate
  }

  /// What kind of error it is.
  public let code: Code
  /// What happened, in a sentence for people.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message.
  public var description: String { "\(code.rawValue): \(message)" }
}
