// SPDX-License-Identifier: Apache-2.0

/// Why a ``SavedStateCorpus`` cannot be read or written.
public struct SavedStateCorpusError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// The set is open: a program must expect codes that it does not know.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, as in `Docs/ERRORS.md`.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// The name of a state has other characters than letters, digits and hyphens.
    public static let invalidName = Code("invalidName")
    /// There is a state of the name and version.
    public static let alreadyRecorded = Code("alreadyRecorded")
    /// The state is larger than its limits.
    public static let notEncoded = Code("notEncoded")
    /// There is no state in the folder.
    public static let empty = Code("empty")
    /// A file or the folder cannot be read.
    public static let unreadable = Code("unreadable")
    /// A file or the folder cannot be written.
    public static let unwritable = Code("unwritable")
  }

  /// The kind of the error.
  public let code: Code

  /// The file or the folder.
  public let path: String

  /// What was expected or found, as a sentence.
  public let message: String

  init(_ code: Code, _ path: String, _ message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  /// The path, the code and the sentence.
  public var description: String { "\(path): \(code): \(message)" }
}
