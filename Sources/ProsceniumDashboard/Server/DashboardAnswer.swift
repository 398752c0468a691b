// SPDX-License-Identifier: Apache-2.0

import FlyingFox

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
    guard endsConnection else {
      return HTTPResponse(statusCode: Self.code(status), headers: fields, body: Data(bytes))
    }
    fields[.connection] = "close"
    let body = HTTPBodySequence(from: ClosingBody(bytes: bytes), count: bytes.count)
    return HTTPResponse(statusCode: Self.code(status), headers: fields, body: body)
  }

  /// The answer that sends a page its updates for as long as it is open.
  static func updates(_ page: OpenPage) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok, headers: fields("text/event-stream"),
      body: HTTPBodySequence(from: PageStream(page: page), suggestedBufferSize: 1 << 16))
  }

  private static func fields(_ contentType: String) -> HTTPHeaders {
    var fields = HTTPHeaders()
    for (name, value) in headers { fields[HTTPHeader(name)] = value }
    fields[.contentType] = contentType
    return fields
  }

  private static func code(_ status: Int) -> HTTPStatusCode {
    let known: [HTTPStatusCode] = [
      .ok, .accepted, .badRequest, .forbidden, .notFound, .methodNotAllowed, .conflict,
      .lengthRequired, .payloadTooLarge, .misdirectedRequest, .serviceUnavailable,
    ]
    return known.first { $0.code == status } ?? .internalServerError
  }

  private static func json(_ code: String, _ message: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try? encoder.encode(["code": code, "message": message])
    return data.map { String(decoding: $0, as: UTF8.self) + "\n" } ?? "{}\n"
  }
}
