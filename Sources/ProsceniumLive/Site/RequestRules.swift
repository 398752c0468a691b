// SPDX-License-Identifier: Apache-2.0

/// Who may ask: decides by a request's head alone.
struct RequestRules: Sendable {
  /// The names by which browsers reach the host, with the port if it is not the usual one; if
  /// there are none, those of this machine, with any port.
  var hosts: Set<String>
  /// The addresses of proxies, of which alone `X-Forwarded-` is believed.
  var proxies: Set<String>

  /// Where a request comes from, and by which address the browser reaches the host.
  struct Origin: Sendable, Hashable {
    /// The address of the browser's machine.
    let client: String
    let host: String
    let isSecure: Bool

    /// The origin of the host's own pages.
    var text: String { (isSecure ? "https://" : "http://") + host }
  }

  /// Finds out where a request comes from.
  ///
  /// - Throws: Status 421 for a name by which the host is not reached: a page of another site may
  ///   have a name that leads here.
  func origin(of request: LiveRequest) throws(RequestRefusal) -> Origin {
    let isForwarded = proxies.contains(request.peer)
    let named = isForwarded ? request["x-forwarded-host"] ?? request["host"] : request["host"]
    guard let host = named?.lowercased(), isOwn(host) else {
      throw RequestRefusal(421, .wrongHost, "expected the name of this host")
    }
    return Origin(
      client: isForwarded ? client(of: request) : request.peer, host: host,
      isSecure: isForwarded && request["x-forwarded-proto"]?.lowercased() == "https")
  }

  private func isOwn(_ host: String) -> Bool {
    if !hosts.isEmpty { return hosts.contains(host) }
    let end = host.lastIndex(of: ":").flatMap { host[$0...].contains("]") ? nil : $0 }
    return ["127.0.0.1", "localhost", "[::1]"].contains(host[..<(end ?? host.endIndex)])
  }

  /// The last address of the list that is not a proxy's: what comes before it is written by
  /// others.
  private func client(of request: LiveRequest) -> String {
    let addresses = request.list("x-forwarded-for")
    return addresses.last { !proxies.contains(String($0)) }.map(String.init) ?? request.peer
  }

  /// Refuses what a page of another site asks for: changes, and connections.
  func checkSameOrigin(_ request: LiveRequest, _ origin: Origin) throws(RequestRefusal) {
    guard request["origin"]?.lowercased() == origin.text else {
      throw RequestRefusal(403, .wrongOrigin, "expected a request of a page of this host")
    }
  }
}

extension RequestRules {
  init(_ settings: LiveSettings) {
    hosts = Set(settings.hosts.map { $0.lowercased() })
    proxies = Set(settings.proxies)
  }
}

/// Why a request is not done.
struct RequestRefusal: Error, Sendable, Hashable {
  let status: Int
  let cause: RefusalCause
  let sentence: String

  init(_ status: Int, _ cause: RefusalCause, _ sentence: String) {
    self.status = status
    self.cause = cause
    self.sentence = sentence
  }
}

/// What is logged of refusals and of connections that are ended, each once a minute with its count.
enum RefusalCause: String, Sendable, Hashable, CaseIterable {
  case wrongHost = "wrong host"
  case wrongOrigin = "wrong origin"
  case noToken = "no token"
  case expiredToken = "expired token"
  case forgedToken = "forged token"
  case foreignSession = "foreign session"
  case tooManyConnections = "too many connections"
  case tooLarge = "message too large"
  case notText = "binary message"
  case notUTF8 = "message not UTF-8"
  case wrongProtocol = "WebSocket protocol violated"
  case tooFast = "too many messages"
  case neverReads = "client does not read"
  case silent = "client does not answer"
}
