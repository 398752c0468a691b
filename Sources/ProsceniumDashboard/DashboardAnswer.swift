// SPDX-License-Identifier: Apache-2.0

import FlyingFox
import FlyingSocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An answer to a request, before it is one of the server's library.
struct DashboardAnswer: Sendable {
  /// The headers of every answer: it is not cached, loads nothing from elsewhere, is not framed,
  /// and no other site is told of it.
  static let headers: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Cache-Control", "no-store"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  var status = 200
  var contentType: String
  var bytes: [UInt8]
  var endsConnection = false

  /// Creates an answer with a text.
  init(_ text: String, type: String) {
    contentType = "\(type); charset=utf-8"
    bytes = Array(text.utf8)
  }

  /// Creates the answer to an action that was taken up.
  init(accepted message: String) {
    self.init(Self.json("accepted", message), type: "application/json")
    status = 202
  }

  /// Creates the answer that says why a request is refused.
  ///
  /// - Parameters:
  ///   - error: Why.
  ///   - endsConnection: Whether a body was left unread.
  init(_ error: DashboardError, endsConnection: Bool) {
    self.init(Self.json(error.code.rawValue, error.message), type: "application/json")
    status = error.status
    self.endsConnection = endsConnection
  }

  /// The answer as the server's library sends it.
  var response: HTTPResponse {
    var fields = Self.fields(contentType)
    let code = HTTPStatusCode(status, phrase: "")
    guard endsConnection else {
      return HTTPResponse(statusCode: code, headers: fields, body: Data(bytes))
    }
    fields[.connection] = "close"
    let body = HTTPBodySequence(from: ClosingBody(bytes: bytes), count: bytes.count)
    return HTTPResponse(statusCode: code, headers: fields, body: body)
  }

  /// The answer that sends a page its updates for as long as it is open.
  static func updates(_ page: PageStream) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok, headers: fields("text/event-stream"),
      body: HTTPBodySequence(from: page, suggestedBufferSize: 1 << 16))
  }

  private static func fields(_ contentType: String) -> HTTPHeaders {
    var fields = HTTPHeaders()
    for (name, value) in headers { fields[HTTPHeader(name)] = value }
    fields[.contentType] = contentType
    return fields
  }

  private static func json(_ code: String, _ message: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try? encoder.encode(["code": code, "message": message])
    return data.map { String(decoding: $0, as: UTF8.self) + "\n" } ?? "{}\n"
  }
}

/// The body of an answer after which the connection ends.
///
/// The body of the request was not read. If the connection went on, what is left of it would be
/// taken for the next request.
struct ClosingBody: AsyncBufferedSequence {
  typealias Element = UInt8

  let bytes: [UInt8]

  func makeAsyncIterator() -> Iterator { Iterator(rest: bytes[...]) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate var rest: ArraySlice<UInt8>

    mutating func next() async throws -> UInt8? {
      try await nextBuffer(suggested: 1)?.first
    }

    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
      // The only way to have the server close a connection.
      if rest.isEmpty { throw SocketError.disconnected }
      defer { rest = rest.dropFirst(Swift.max(count, 1)) }
      return rest.prefix(Swift.max(count, 1))
    }
  }
}
