// SPDX-License-Identifier: Apache-2.0

/// Says what is wrong in a CSV file of results, and where.
public struct CSVFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names a kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, such as `otherSchema`.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file has no row at all, or none but its header.
    public static let noRows = Code(rawValue: "noRows")
    /// The file's first row is not the schema's header.
    public static let otherHeader = Code(rawValue: "otherHeader")
    /// A row is of another version of the schema.
    public static let otherSchema = Code(rawValue: "otherSchema")
    /// The file ends in the middle of a row.
    public static let truncated = Code(rawValue: "truncated")
    /// A row or a field is not as the schema says.
    public static let invalidRow = Code(rawValue: "invalidRow")
    /// A row, or what would have to be kept, is larger than its limit.
    public static let tooLarge = Code(rawValue: "tooLarge")
  }

  /// The kind of failure.
  public let code: Code
  /// The path of the file, as it was given.
  public let path: String
  /// The line of the row, from 1; nil if it is about the file as a whole.
  public let line: Int?
  /// The name of the column, if it is about one field.
  public let column: String?
  /// One sentence: what was expected and what is the case.
  public let message: String

  /// Makes an error.
  public init(
    _ code: Code, path: String, line: Int? = nil, column: String? = nil, message: String
  ) {
    self.code = code
    self.path = path
    self.line = line
    self.column = column
    self.message = message
  }

  /// The place and the sentence.
  ///
  /// For example `results.csv:12: value: expected a number, got 'x'.`
  public var description: String {
    let place = path == "-" ? "standard input" : path
    let line = line.map { ":\($0)" } ?? ""
    let column = column.map { " \($0):" } ?? ""
    return "\(place)\(line):\(column) \(message)"
  }
}
