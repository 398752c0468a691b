// SPDX-License-Identifier: Apache-2.0

/// Says why a file cannot be read or written, or does not fit its format: where, and what was
/// expected there.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names a kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, such as `noSuchFile`.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    // MARK: - The system

    /// Nothing is at the path.
    public static let noSuchFile = Code(rawValue: "noSuchFile")
    /// The path names a directory.
    public static let isDirectory = Code(rawValue: "isDirectory")
    /// The system refuses to open or to read the file.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file can't be opened for writing, or made.
    public static let cannotOpen = Code(rawValue: "cannotOpen")
    /// The system refused bytes, for example on a full disk.
    public static let writeFailed = Code(rawValue: "writeFailed")
    /// The reader of a pipe has closed it.
    public static let closedPipe = Code(rawValue: "closedPipe")
    /// The file, or a part of it that has to be in memory at once, is larger than its limit.
    public static let tooLarge = Code(rawValue: "tooLarge")

    // MARK: - JSON

    /// The file is not JSON in UTF-8, or is nested too deeply.
    public static let notJSON = Code(rawValue: "notJSON")
    /// A value has another type than the format says.
    public static let wrongType = Code(rawValue: "wrongType")
    /// An object has a key that the format does not know, or not at this place.
    public static let unknownKey = Code(rawValue: "unknownKey")
    /// An object lacks a key.
    public static let missingKey = Code(rawValue: "missingKey")
    /// A text is none of those that the format lists, or names something that is not there.
    public static let unknownValue = Code(rawValue: "unknownValue")
    /// A name that has to be unique is there twice.
    public static let duplicate = Code(rawValue: "duplicate")
    /// A number or a length is out of its range.
    public static let outOfRange = Code(rawValue: "outOfRange")

    // MARK: - Logs and traces

    /// Compressed input ends before its last member does.
    public static let truncatedGzip = Code(rawValue: "truncatedGzip")
    /// Compressed input breaks the format, or its check sum differs.
    public static let damagedGzip = Code(rawValue: "damagedGzip")
    /// A log begins with bytes that no text has, or is compressed in another format.
    public static let notALog = Code(rawValue: "notALog")
    /// A log ended without a single request: it is empty, or every line is malformed.
    public static let noRequests = Code(rawValue: "noRequests")
    /// A line of a recorded trace is not as its first line.
    public static let malformedLine = Code(rawValue: "malformedLine")
    /// A trace has more events or sessions than are compared.
    public static let tooLong = Code(rawValue: "tooLong")
    /// A trace has no event.
    public static let noEvents = Code(rawValue: "noEvents")

    // MARK: - CSV

    /// The file has no row at all, or none but its header.
    public static let noRows = Code(rawValue: "noRows")
    /// The file's first row is not the schema's header.
    public static let otherHeader = Code(rawValue: "otherHeader")
    /// A row is of another version of the schema.
    public static let otherSchema = Code(rawValue: "otherSchema")
    /// The file ends in the middle of a row, as after a crash.
    public static let incompleteLastRow = Code(rawValue: "incompleteLastRow")
    /// A row or a field is not as the schema says.
    public static let invalidRow = Code(rawValue: "invalidRow")

    // MARK: - The store of a replay

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
  /// The file as it was given; `-` is standard input, nil an error that is about no file.
  public let file: String?
  /// The number of the line, from 1; nil where no single line is to blame.
  public let line: Int?
  /// Where in the line or the file: the name of a column, or a JSON path such as `$.cases[12]`.
  public let place: String?
  /// One sentence: what was expected and what is the case.
  public let message: String

  /// Makes an error.
  public init(
    _ code: Code, file: String? = nil, line: Int? = nil, place: String? = nil, _ message: String
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.place = place
    self.message = message
  }

  /// The place and the sentence.
  ///
  /// For example `results.csv:12: value: expected a number, got 'x'.`
  public var description: String {
    let line = line.map { ":\($0)" } ?? ""
    let file = file.map { ($0 == "-" ? "standard input" : $0) + line + ": " } ?? ""
    return file + (place.map { $0 + ": " } ?? "") + message
  }
}

/// The name by which the readers of the conformance suites still know it.
package typealias JSONFileError = FileError
