// SPDX-License-Identifier: Apache-2.0

/// One request as a web server's access log records it.
///
/// The widespread formats are read:
/// ```
/// common    client identity user [time] "request" status bytes
/// combined  the same, then "referrer" "user agent"
/// vhost     host:port, then one of them; or the host alone, before a client's address
/// ```
/// The user may have blanks where the identity is `-`. A client may be a list that ends with
/// proxies, such as `203.0.113.1, 10.0.0.2`. Fields keep the log's own escapes, such as `\"` and
/// `\xe4`.
public struct AccessLogLine: Hashable, Sendable {
  /// The largest number of bytes that a line may state for its response.
  public static let byteLimit: Int64 = 999_999_999_999_999

  /// The virtual host, such as `www.example.net:443`; nil where the log does not name it.
  public var virtualHost: String?
  /// The client's address or name.
  public var client: String
  /// The time of the request in seconds since 1970, its zone taken into account.
  public var time: Int64
  /// The request's method, such as `GET`.
  public var method = "GET"
  /// The request's target, such as `/index.html?page=2`; never empty.
  public var path: String
  /// The protocol, such as `HTTP/1.1`; nil where the request line has none (`GET /x`).
  public var protocolVersion: String? = "HTTP/1.1"
  /// The response's status, 0–999; 0 for `-`.
  public var status = 200
  /// The number of bytes sent; 0 for `-`.
  public var bytes: Int64 = 0
  /// The page from which the request came; nil for `-`, an empty or an absent field.
  public var referrer: String?
  /// The client's program; nil for `-`, an empty or an absent field.
  public var userAgent: String?

  /// What was asked for: the path, behind the virtual host if there is one.
  public var location: String { (virtualHost ?? "") + path }
}

extension AccessLogLine {
  /// Reads a line of text, without its line end.
  ///
  /// - Throws: What was expected, and at which column.
  public init(parsing text: String) throws(AccessLogSyntaxError) {
    try self.init(parsing: Array(text.utf8)[...])
  }

  /// Reads a line from its bytes, without the line end; invalid UTF-8 is repaired.
  ///
  /// What follows the user agent, or the bytes of the common format, is ignored: servers add
  /// fields of their own there. A request line must have a method and a path; `-` and other
  /// noise that a server records for a connection without a request is malformed, and so is a
  /// line whose fields before the time do not prove which is the client, such as two addresses.
  ///
  /// - Throws: What was expected, and at which column.
  public init(parsing bytes: ArraySlice<UInt8>) throws(AccessLogSyntaxError) {
    var parser = AccessLogLineParser(bytes)
    self = try parser.line()
  }
}

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
