// SPDX-License-Identifier: Apache-2.0

/// Why a simulated run did not come to its end.
public struct SimulationError: Error, Sendable, Equatable {
  /// What kind of error it is; new ones may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Every task waits, and nothing is left that could wake one.
    public static let stuck = Code(rawValue: "stuck")
    /// The run has taken as many steps as it may.
    public static let stepLimit = Code(rawValue: "stepLimit")
    /// Another thread has woken a task, so that the seed did not decide everything.
    public static let notAlone = Code(rawValue: "notAlone")
  }

  /// What kind of error it is.
  public let code: Code

  /// What was expected, and what was found.
  public let message: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: What kind of error it is.
  ///   - message: What was expected, and what was found.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension SimulationError: CustomStringConvertible {
  /// The code and the message in one line.
  public var description: String { "\(code.rawValue): \(message)" }
}
