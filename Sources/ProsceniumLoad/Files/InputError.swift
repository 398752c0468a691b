// SPDX-License-Identifier: Apache-2.0

/// Says why a file could not be read as a whole, and what was expected.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names a kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, such as `noSuchFile`.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing stands at the path.
    public static let noSuchFile = Code(rawValue: "noSuchFile")
    /// A directory stands at the path.
    public static let isDirectory = Code(rawValue: "isDirectory")
    /// The system refuses to open or to read the file.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file is larger than what is read into memory.
    public static let tooLarge = Code(rawValue: "tooLarge")
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

  /// The path, `standard input` for `-`, and the sentence.
  public var description: String {
    "\(path == "-" ? "standard input" : path): \(message)"
  }
}
