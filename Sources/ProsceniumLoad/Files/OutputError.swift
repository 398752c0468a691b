// SPDX-License-Identifier: Apache-2.0

/// Says why a file could not be written, and what was expected.
public struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names a kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, such as `otherHeader`.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file can't be opened or made.
    public static let cannotOpen = Code(rawValue: "cannotOpen")
    /// The system refused bytes, for example on a full disk.
    public static let writeFailed = Code(rawValue: "writeFailed")
    /// The reader of a pipe has closed it.
    public static let closedPipe = Code(rawValue: "closedPipe")
    /// The file exists and does not begin with this schema's header row.
    public static let otherHeader = Code(rawValue: "otherHeader")
    /// The file exists and its last row has no end, as after a crash.
    public static let incompleteLastRow = Code(rawValue: "incompleteLastRow")
    /// A row breaks the schema: its metric is no snake_case, its percentile not in 0–100.
    public static let invalidRow = Code(rawValue: "invalidRow")
  }

  /// The kind of failure.
  public let code: Code
  /// The path of the file, as it was given.
  public let path: String
  /// One sentence: what was expected and what is the case.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, path: String, message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  /// Makes the error of a write that the system refused.
  init(_ failure: SystemFailure, path: String) {
    self.init(
      failure.isClosedPipe ? .closedPipe : .writeFailed, path: path,
      message: "expected that more can be written: \(failure.text).")
  }

  /// The path, `standard output` for `-`, and the sentence.
  public var description: String {
    "\(path == "-" ? "standard output" : path): \(message)"
  }
}

/// One of the two streams that a program is given for what it says.
package enum StandardStream: CInt, Sendable {
  /// Standard output.
  case output = 1
  /// Standard error.
  case errors = 2

  /// Writes a text at once, so that long work shows its results as they come.
  ///
  /// - Parameter text: The text, with its line ends.
  /// - Throws: `.closedPipe` or `.writeFailed`, if not all of it could be written.
  package func write(_ text: String) throws(OutputError) {
    do {
      try ByteFile(self).write(Array(text.utf8))
    } catch {
      throw OutputError(error, path: self == .output ? "-" : "standard error")
    }
  }
}
