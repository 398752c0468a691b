// SPDX-License-Identifier: Apache-2.0

/// Says why a file, a log or a store cannot be used as input, and what was expected.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names a kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, such as `noSuchFile`.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing is at the path.
    public static let noSuchFile = Code(rawValue: "noSuchFile")
    /// The path names a directory.
    public static let isDirectory = Code(rawValue: "isDirectory")
    /// The system refuses to open or to read the file.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file is larger than what is read into memory.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// Compressed input ends before its last member does.
    public static let truncatedGzip = Code(rawValue: "truncatedGzip")
    /// Compressed input breaks the format, or its check sum differs.
    public static let damagedGzip = Code(rawValue: "damagedGzip")
    /// A log begins with bytes that no text has, or is compressed in another format.
    public static let notALog = Code(rawValue: "notALog")
    /// A log ended without a single request: it is empty, or every line is malformed.
    public static let noRequests = Code(rawValue: "noRequests")
    /// A parameter of ``AccessLogGenerator`` is out of its range.
    public static let parameterOutOfRange = Code(rawValue: "parameterOutOfRange")
    /// A line of a recorded trace is not as its first line.
    public static let malformedLine = Code(rawValue: "malformedLine")
    /// A trace has more events or sessions than are compared.
    public static let tooLong = Code(rawValue: "tooLong")
    /// A trace has no event.
    public static let noEvents = Code(rawValue: "noEvents")
    /// The store belongs to the replay of another log.
    public static let otherLog = Code(rawValue: "otherLog")
    /// The store was begun with other limits, by which other sessions are destroyed.
    public static let otherSettings = Code(rawValue: "otherSettings")
    /// The store has sessions that no replay made.
    public static let otherProgram = Code(rawValue: "otherProgram")
    /// The store refuses what is to be kept, for example on a full disk.
    public static let notKept = Code(rawValue: "notKept")
  }

  /// The kind of failure.
  public let code: Code
  /// The path of the input, as it was given; nil where the sentence names it.
  public let path: String?
  /// The number of the line, from 1; nil where no single line is to blame.
  public let line: Int?
  /// One sentence: what was expected and what is the case.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, path: String? = nil, line: Int? = nil, message: String) {
    self.code = code
    self.path = path
    self.line = line
    self.message = message
  }

  /// The path, `standard input` for `-`, the line and the sentence.
  public var description: String {
    let place = path.map { ($0 == "-" ? "standard input" : $0) + ": " } ?? ""
    return place + (line.map { "line \($0): " } ?? "") + message
  }
}
