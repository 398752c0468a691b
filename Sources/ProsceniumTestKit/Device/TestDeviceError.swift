// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// What a test asked of a ``TestDevice`` that cannot be done now.
public struct TestDeviceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// The set is open: a program must expect codes that it does not know.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, as in `Docs/ERRORS.md`.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// A process runs already, and the call needs that none does.
    public static let alreadyRunning = Code("alreadyRunning")
    /// No process runs, and the call needs one.
    public static let notRunning = Code("notRunning")
    /// The session has no scene now.
    public static let noScene = Code("noScene")
    /// The scene's delegate is of another class, or there is none.
    public static let otherDelegate = Code("otherDelegate")
  }

  /// The kind of the error.
  public let code: Code

  /// The session that the error is about, if it is about one.
  public let session: SessionIdentifier?

  /// What was expected and what was found, as a sentence.
  public let message: String

  init(_ code: Code, session: SessionIdentifier? = nil, _ message: String) {
    self.code = code
    self.session = session
    self.message = message
  }

  /// The code and the sentence.
  public var description: String { "\(code): \(message)" }
}
