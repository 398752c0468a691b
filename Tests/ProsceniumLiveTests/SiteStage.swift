// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

@testable import ProsceniumLive

/// A site at `localhost` without a server, and requests to it.
struct SiteStage {
  let date: ManualDate
  let lines = LogLines()
  let site: LiveSite

  init(key: UInt8 = 1, _ change: (inout LiveSettings) -> Void = { _ in }) throws {
    let date = ManualDate()
    self.date = date
    var settings = LiveSettings(keys: LiveKeys.keys(key))
    settings.identifiers = .counted()
    settings.wallClock = date.wallClock
    settings.log = lines.logger
    change(&settings)
    site = LiveSite(
      settings: settings, rules: RequestRules(settings),
      tokens: try LiveTokens(settings.keys, wallClock: settings.wallClock),
      causes: CauseLog(settings.log) { .zero })
  }

  /// A request of a page of the site, unless it has another origin.
  static func request(
    _ method: String, _ path: String, origin: String? = "http://localhost",
    cookie: String? = nil, host: String = "localhost", peer: String = "127.0.0.1",
    headers: KeyValuePairs<String, String> = [:]
  ) -> LiveRequest {
    var lines = [LiveRequest.Header("Host", host)]
    if let origin { lines.append(LiveRequest.Header("Origin", origin)) }
    if let cookie { lines.append(LiveRequest.Header("Cookie", cookie)) }
    lines += headers.map { LiveRequest.Header($0.key, $0.value) }
    return LiveRequest(method: method, path: path, headers: lines, peer: peer)
  }

  /// Renews a token; returns that of the answer.
  func renew(cookie: String? = nil) async throws -> LiveToken {
    let response = await site.respond(to: Self.request("POST", "/renew", cookie: cookie))
    return try site.tokens.read(response.token ?? "")
  }
}

extension LiveResponse {
  /// The token that the browser is to keep.
  var token: String? {
    guard let cookie = cookies.first, cookie.hasPrefix("proscenium=") else { return nil }
    return String(cookie.dropFirst("proscenium=".count).prefix { $0 != ";" })
  }

  var text: String { String(decoding: body, as: UTF8.self) }
}
