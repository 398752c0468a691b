// SPDX-License-Identifier: Apache-2.0

/// What a device cannot do now, or what the program did that UIKit answers with an exception.
public struct UIKitDeviceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// The set is open: a program must expect codes that it does not know.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, as in `Docs/ERRORS.md`.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// The program did what UIKit answers with an exception, or does not define; the sentences say
    /// what.
    public static let fault = Code("fault")
    /// The task has launched another device, whose process still runs.
    public static let otherDevice = Code("otherDevice")
    /// The session has no scene now.
    public static let noScene = Code("noScene")
    /// The scene's delegate is of another class, or there is none.
    public static let otherDelegate = Code("otherDelegate")
    /// A condition did not hold within its time.
    public static let neverHeld = Code("neverHeld")
  }

  /// The kind of the error.
  public let code: Code

  /// What was expected and what was found, a sentence a line.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the sentences.
  public var description: String { "\(code): \(message)" }
}
