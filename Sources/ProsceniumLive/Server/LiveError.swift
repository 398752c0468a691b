// SPDX-License-Identifier: Apache-2.0

/// Why a web host does not serve.
public struct LiveError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong; there may be more codes in later versions.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code in words.
    public let description: String

    /// Another program listens at the address.
    public static let addressInUse = Code(description: "addressInUse")
    /// The system does not let the program listen at the address.
    public static let addressRefused = Code(description: "addressRefused")
    /// A server was run before.
    public static let alreadyRun = Code(description: "alreadyRun")
  }

  /// What went wrong.
  public let code: Code

  /// What was expected, and what was found.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message.
  public var description: String { "\(code): \(message)" }
}
