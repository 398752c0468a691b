// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What a path of the host is for.
enum LivePath: Sendable, Hashable {
  /// The page of a session, or of a new one.
  case page(SessionIdentifier?)
  /// Where a tab opens its line.
  case line
  /// Where a browser gets a token.
  case renew
  case script
  case style
  /// The program's own paths.
  case other

  init(_ path: String) {
    switch path {
    case "/": self = .page(nil)
    case "/line": self = .line
    case "/renew": self = .renew
    case "/live.js": self = .script
    case "/live.css": self = .style
    default:
      if path.hasPrefix("/s/"), let session = SessionIdentifier(String(path.dropFirst(3))) {
        self = .page(session)
      } else {
        self = .other
      }
    }
  }
}
