// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumTestKit

/// How a log spells what callbacks are given.
@Suite struct LogTextTests {
  @Test(
    arguments: [
      ("app://x/7?y=1", "app://x/7?y=1"), ("_.~:/?#@!$&'*+;=%|-", "_.~:/?#@!$&'*+;=%|-"),
      ("", "\"\""), ("nil", "\"nil\""), ("nill", "nill"), ("a b", "\"a b\""), ("a,b", "\"a,b\""),
      ("(1)", "\"(1)\""), ("[", "\"[\""), ("{", "\"{\""), ("\"", #""\"""#), ("\\", #""\\""#),
      ("\n\r\t", #""\n\r\t""#), ("\u{1}\u{1F}", #""\u0001\u001f""#), ("\u{7F}", "\"\u{7F}\""),
      ("\u{E9}", "\"\u{E9}\""),
    ])
  func `a text that could be mistaken is in quotes`(text: String, atom: String) {
    #expect(LogText.atom(text) == atom)
  }

  @Test func `a list is in the order of its bytes`() {
    #expect(LogText.list(["b", "a", "B", "a,"]) == "B, a, \"a,\", b")
  }

  @Test func `options are named in one order`() {
    var options = Scene.ConnectionOptions()
    #expect(LogText.options(options) == "{}")
    options.shareMetadata = ShareMetadata("s")
    options.shortcutItem = ShortcutItem("k")
    options.notificationResponse = NotificationResponse("n")
    options.userActivities = [UserActivity("t", title: "b"), UserActivity("t", title: "a")]
    options.handoffUserActivityType = "h"
    options.urlContexts = [OpenURLContext("u:1")]
    #expect(
      LogText.options(options)
        == "{url:[u:1], handoff:h, act:[a, b], notif:n, shortcut:k, share:s}")
  }
}
