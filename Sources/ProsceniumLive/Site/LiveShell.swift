// SPDX-License-Identifier: Apache-2.0

/// The page around the page: it loads the script, which fetches the rest over its line.
struct LiveShell {
  private let settings: LiveSettings
  private let needsToken: Bool

  /// - Parameters:
  ///   - settings: The title, the language and the style sheets.
  ///   - needsToken: Whether the browser has to get a token before it opens a line.
  init(_ settings: LiveSettings, needsToken: Bool) {
    self.settings = settings
    self.needsToken = needsToken
  }

  var response: LiveResponse {
    var html: [UInt8] = []
    html += "<!doctype html>\n<html".utf8
    html.append(attribute: "lang", settings.language)
    html += ">\n<head>\n<meta charset=\"utf-8\">\n<title>".utf8
    html.append(escaped: settings.title)
    html += "</title>\n".utf8
    html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n".utf8
    for sheet in ["/live.css"] + settings.styleSheets {
      html += "<link rel=\"stylesheet\"".utf8
      html.append(attribute: "href", sheet)
      html += ">\n".utf8
    }
    html += "<script src=\"/live.js\" defer></script>\n</head>\n<body data-line=\"/line\"".utf8
    html += " data-renew=\"/renew\"\(needsToken ? " data-needs-token" : "")>\n".utf8
    html += "<p id=\"\(LivePage.statusID)\" role=\"status\"></p>\n".utf8
    html += "<main id=\"\(LivePage.rootID)\" tabindex=\"-1\"></main>\n".utf8
    html += "<noscript>This page needs JavaScript.</noscript>\n</body>\n</html>\n".utf8
    return LiveResponse(type: "text/html; charset=utf-8", body: html)
  }
}

/// The script and the style of every page.
enum LiveScript {
  static let response = LiveResponse(
    type: "text/javascript; charset=utf-8", body: PackageResources.live_js)

  static let style = LiveResponse(type: "text/css; charset=utf-8", body: PackageResources.live_css)
}
