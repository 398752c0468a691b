// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What the host answers requests with, and whom it lets open a line.
struct LiveSite: Sendable {
  /// In whose name a line is opened.
  struct Admission: Sendable, Hashable {
    let token: LiveToken
    /// The address of the browser's machine, for the log.
    let client: String
  }

  let settings: LiveSettings
  let rules: RequestRules
  let tokens: LiveTokens
  let causes: CauseLog

  static let cookieName = "proscenium"

  // MARK: - Requests

  /// Answers a request.
  func respond(to request: LiveRequest) async -> LiveResponse {
    do throws(RequestRefusal) {
      return try await answer(request)
    } catch {
      causes.note(error.cause)
      return LiveResponse(status: error.status, error.sentence)
    }
  }

  private func answer(_ request: LiveRequest) async throws(RequestRefusal) -> LiveResponse {
    let origin = try rules.origin(of: request)
    let isRead = request.method == "GET" || request.method == "HEAD"
    if !isRead { try rules.checkSameOrigin(request, origin) }
    switch LivePath(request.path) {
    case .page where isRead:
      let isKnown = (try? token(of: request)) != nil
      return LiveShell(settings, needsToken: !isKnown).response
    case .script where isRead: return LiveScript.response
    case .style where isRead: return LiveScript.style
    case .renew where request.method == "POST": return try await renew(request, origin)
    case .line:
      _ = try admit(request)
      return LiveResponse(status: 426, "expected an upgrade to a WebSocket")
    case .page, .script, .style, .renew:
      return LiveResponse(status: 405, "expected another method for this path")
    case .other:
      return await settings.respond?(request)
        ?? LiveResponse(status: 404, "there is nothing at this path")
    }
  }

  // MARK: - Tokens

  /// Decides whether a request may open a line.
  ///
  /// - Throws: 401 without a good token, 403 for a forged one or a page of another site.
  func admit(_ request: LiveRequest) throws(RequestRefusal) -> Admission {
    let origin = try rules.origin(of: request)
    try rules.checkSameOrigin(request, origin)
    return Admission(token: try token(of: request), client: origin.client)
  }

  /// The token in the browser's cookie.
  private func token(of request: LiveRequest) throws(RequestRefusal) -> LiveToken {
    guard let text = request.cookie(Self.cookieName) else {
      throw RequestRefusal(401, .noToken, "expected a token")
    }
    do throws(LiveTokens.Refusal) {
      return try tokens.read(text)
    } catch {
      switch error {
      case .unknown: throw RequestRefusal(401, .noToken, "expected a token of this host")
      case .expired: throw RequestRefusal(401, .expiredToken, "the token has expired")
      case .forged: throw RequestRefusal(403, .forgedToken, "the token was changed")
      }
    }
  }

  /// Gives a browser a token: one that names the same user, as long as it is known who that is.
  private func renew(
    _ request: LiveRequest, _ origin: RequestRules.Origin
  ) async throws(RequestRefusal) -> LiveResponse {
    let known = try? token(of: request)
    let owner: String
    if let identifyUser = settings.identifyUser {
      guard let user = await identifyUser(request),
        (1...SceneSession.ownerSizeLimit).contains(user.utf8.count)
      else { throw RequestRefusal(401, .noToken, "expected a user who is signed in") }
      owner = user
    } else {
      owner = known?.owner ?? "\(settings.identifiers.next())"
    }
    var response = LiveResponse(status: 204)
    let seconds = settings.tokenLifetime.components.seconds
    // A token for one session does not become one for all.
    let session = known?.owner == owner ? known?.session : nil
    let text = tokens.make(owner: owner, session: session, lifetime: settings.tokenLifetime)
    response.cookies = [
      "\(Self.cookieName)=\(text); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
        + (origin.isSecure ? "; Secure" : "")
    ]
    return response
  }
}
