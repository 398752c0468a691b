// SPDX-License-Identifier: Apache-2.0

import FlyingFox

/// What of an HTTP request decides its answer.
struct DashboardRequest: Sendable {
  /// The header in which an action carries the token.
  static let tokenHeader = "X-Proscenium-Token"

  /// How long a body may be, in bytes.
  static let bodyLimit = 1_024

  /// What a request is for.
  enum Route: Equatable {
    case page
    case style
    case script
    case updates
    case action(DashboardAction.Name)
  }

  var method: String
  var path: String
  var host: String?
  var token: String?
  /// What the browser says about who asks: the header `Sec-Fetch-Site`.
  var site: String?
  /// Nil for a body that comes in chunks.
  var bodyLength: Int?

  /// Whether the body is too long to be read, or of unknown length.
  var isBodyUnread: Bool { (bodyLength ?? .max) > Self.bodyLimit }

  /// Decides what the request is for, and whether it may have it.
  ///
  /// - Parameters:
  ///   - port: The port that the server listens on.
  ///   - expected: The token, or nil if actions are disabled.
  /// - Returns: What it is for.
  /// - Throws: Why it is refused.
  func route(port: UInt16, expecting expected: DashboardToken?) throws(DashboardError) -> Route {
    try check(port: port)
    let route = try place()
    if route != .page { try checkSite() }
    if case .action = route { try check(expected) }
    return route
  }

  /// Checks what holds for every request.
  ///
  /// - Parameter port: The port that the server listens on.
  /// - Throws: Why it is refused.
  func check(port: UInt16) throws(DashboardError) {
    // A page of another site can have its name point here: only the name of this host will do.
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
    guard let host, hosts.contains(host.lowercased()) else {
      throw DashboardError(
        .wrongHost, "expected the host 127.0.0.1:\(port) or localhost:\(port); open that address")
    }
    guard let bodyLength else {
      throw DashboardError(.missingLength, "expected the header Content-Length, found none")
    }
    guard bodyLength <= Self.bodyLimit else {
      throw DashboardError(
        .bodyTooLarge, "expected a body of up to \(Self.bodyLimit) bytes, found \(bodyLength)")
    }
  }

  /// A page of another site may lead here, but not take the places of pages.
  private func checkSite() throws(DashboardError) {
    guard let site, site != "same-origin", site != "none" else { return }
    throw DashboardError(.wrongSite, "expected a request of the dashboard's own page")
  }

  private func place() throws(DashboardError) -> Route {
    let route: Route
    switch path {
    case "/": route = .page
    case "/dashboard.css": route = .style
    case "/dashboard.js": route = .script
    case "/updates": route = .updates
    default:
      let prefix = "/actions/"
      guard path.hasPrefix(prefix),
        let name = DashboardAction.Name(rawValue: String(path.dropFirst(prefix.count)))
      else { throw DashboardError(.unknownPath, "there is nothing at this path; open /") }
      route = .action(name)
    }
    var expected = "GET"
    if case .action = route { expected = "POST" }
    guard method == expected else {
      throw DashboardError(.wrongMethod, "expected the method \(expected) for this path")
    }
    return route
  }

  private func check(_ expected: DashboardToken?) throws(DashboardError) {
    guard let expected else {
      throw DashboardError(
        .readOnly, "this dashboard only shows: it was made without a token for actions")
    }
    guard let token, !token.isEmpty else {
      throw DashboardError(
        .missingToken,
        "expected the header \(Self.tokenHeader) with the token that the program has printed")
    }
    guard expected.matches(token) else {
      throw DashboardError(
        .wrongToken, "this is not the token that the program has printed for this run")
    }
  }
}

extension DashboardRequest {
  /// Takes what decides from a request of the server's library.
  init(_ request: HTTPRequest) {
    self.init(
      method: request.method.rawValue, path: request.path, host: request.headers[.host],
      token: request.headers[HTTPHeader(Self.tokenHeader)],
      site: request.headers[HTTPHeader("Sec-Fetch-Site")],
      bodyLength: request.bodySequence.count)
  }
}
