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
  public var method: String
  /// The request's target, such as `/index.html?page=2`; never empty.
  public var path: String
  /// The protocol, such as `HTTP/1.1`; nil where the request line has none (`GET /x`).
  public var protocolVersion: String?
  /// The response's status, 0–999; 0 for `-`.
  public var status: Int
  /// The number of bytes sent; 0 for `-`.
  public var bytes: Int64
  /// The page from which the request came; nil for `-`, an empty or an absent field.
  public var referrer: String?
  /// The client's program; nil for `-`, an empty or an absent field.
  public var userAgent: String?

  /// What was asked for: the path, behind the virtual host if there is one.
  public var location: String { (virtualHost ?? "") + path }

  /// Makes a line from its parts.
  public init(
    virtualHost: String? = nil, client: String, time: Int64, method: String = "GET", path: String,
    protocolVersion: String? = "HTTP/1.1", status: Int = 200, bytes: Int64 = 0,
    referrer: String? = nil, userAgent: String? = nil
  ) {
    self.virtualHost = virtualHost
    self.client = client
    self.time = time
    self.method = method
    self.path = path
    self.protocolVersion = protocolVersion
    self.status = status
    self.bytes = bytes
    self.referrer = referrer
    self.userAgent = userAgent
  }

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
