// SPDX-License-Identifier: Apache-2.0

/// Says at which column a line stops being a line of an access log, and what was expected there.
public struct AccessLogSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names what was expected; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the field, such as `status`.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Text, in which there are no NUL bytes.
    public static let text = Code(rawValue: "text")
    /// The client's address or name, and a space.
    public static let client = Code(rawValue: "client")
    /// The identity and the user behind the client, or the client behind a virtual host.
    public static let identity = Code(rawValue: "identity")
    /// The time stamp in square brackets.
    public static let time = Code(rawValue: "time")
    /// The quoted request line with a method and a path.
    public static let request = Code(rawValue: "request")
    /// The three digits of the response's status.
    public static let status = Code(rawValue: "status")
    /// The number of bytes sent, or `-`.
    public static let bytes = Code(rawValue: "bytes")
    /// The quoted referrer.
    public static let referrer = Code(rawValue: "referrer")
    /// The quoted user agent.
    public static let userAgent = Code(rawValue: "userAgent")
    /// The end of the line, before its limit of 64 KiB.
    public static let lineEnd = Code(rawValue: "lineEnd")
  }

  /// What was expected.
  public let code: Code
  /// Where it was expected: a byte of the line, counted from 1.
  public let column: Int
  /// What was expected, in words.
  public let expectation: String

  /// Makes an error.
  public init(_ code: Code, column: Int, expectation: String) {
    self.code = code
    self.column = column
    self.expectation = expectation
  }

  /// The column and the expectation, without the number of the line.
  public var description: String { "column \(column): expected \(expectation)" }
}
