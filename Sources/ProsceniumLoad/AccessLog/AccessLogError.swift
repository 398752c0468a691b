// SPDX-License-Identifier: Apache-2.0

/// Says why an access log can't be read or made, and what was expected.
///
/// A single bad line is no such error: it is reported as ``AccessLogSyntaxError`` and skipped.
public struct AccessLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names a kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, such as `truncatedGzip`.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing stands at the path.
    public static let noSuchFile = Code(rawValue: "noSuchFile")
    /// A directory stands at the path.
    public static let isDirectory = Code(rawValue: "isDirectory")
    /// The system refuses to open or to read the file.
    public static let unreadable = Code(rawValue: "unreadable")
    /// Compressed input ends before its last member does.
    public static let truncatedGzip = Code(rawValue: "truncatedGzip")
    /// Compressed input breaks the format, or its check sum differs.
    public static let damagedGzip = Code(rawValue: "damagedGzip")
    /// The input begins with bytes that no text has, or is compressed in another format.
    public static let notALog = Code(rawValue: "notALog")
    /// The input ended without a single request: it is empty, or every line is malformed.
    public static let noRequests = Code(rawValue: "noRequests")
    /// A parameter of ``AccessLogGenerator`` is out of its range.
    public static let parameterOutOfRange = Code(rawValue: "parameterOutOfRange")
  }

  /// The kind of failure.
  public let code: Code
  /// The path of the log as it was given; nil where no file is involved.
  public let path: String?
  /// One sentence: what was expected and what is the case.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, path: String?, message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  /// The path, `standard input` for `-`, and the sentence.
  public var description: String {
    guard let path else { return message }
    return "\(path == "-" ? "standard input" : path): \(message)"
  }
}
