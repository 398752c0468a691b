// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumDashboard

@Suite(.timeLimit(.minutes(10))) struct PageDrawingTests {
  static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'; alert(1) //",
    "</pre></article><b>", "&lt;", "a\u{202E}b", "\u{0}\u{1B}[31m",
  ]

  @Test(arguments: hostile)
  func `a title is text, whatever is in it`(_ title: String) async throws {
    try await DashboardStage.run { stage in
      let session = try await stage.application.open(title)
      try await stage.application.host.perform(.background(session.id))
      let scenes = try await stage.firstUpdate()["scenes"] ?? ""
      #expect(scenes.contains("<h4>\(PageText.escaped(title))</h4>"))
      #expect(scenes.contains("<pre>"))
      for part in ["<script", "<img", "<b>", "\u{202E}", "\u{1B}"] {
        #expect(!scenes.contains(part))
      }
    }
  }

  @Test func `every character that means something is replaced`() {
    #expect(PageText.escaped("a<b>\"c\"&'d'\n") == "a&lt;b&gt;&quot;c&quot;&amp;&#39;d&#39;\n")
    #expect(
      PageText.escaped("\u{0}\u{7F}\u{9F}\u{2066}\r") == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
  }

  @Test func `a long text is cut, also one of marks upon one letter`() {
    #expect(PageText.limited("abc", to: 3) == "abc")
    #expect(PageText.limited("abcd", to: 3) == "abc…")
    let marks = "a" + String(repeating: "\u{301}", count: 1_000)
    #expect(PageText.limited(marks, to: 10).unicodeScalars.count == 11)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567")])
  func `numbers have a comma between thousands`(_ number: Int, _ text: String) {
    #expect(PageText.number(number) == text)
  }

  @Test func `scenes are under their states, and each button says whom it is about`() async throws {
    try await DashboardStage.run { stage in
      let first = try await stage.application.open("Ada")
      let second = try await stage.application.open("Bob")
      try await stage.application.host.perform(.background(first.id))
      try await stage.application.host.perform(.disconnect(first.id))
      let update = try await stage.firstUpdate()
      let states = update["scenes"]?.components(between: "<section class=\"state ", "</section>")
      #expect(states?.count == 4)
      #expect(states?[0].contains("<h4>Bob</h4>") == true)
      #expect(states?[0].contains("aria-label=\"Disconnect session 00000002\"") == true)
      #expect(states?[3].contains("<h4>Ada</h4>") == true)
      #expect(states?[3].contains("data-action=\"disconnect\"") == false)
      #expect(states?[3].contains("data-action=\"discard\"") == true)
      #expect(states?[3].contains(first.id.description) == true)
      #expect(update["counts"]?.contains("<dt>Disconnected</dt><dd>1</dd>") == true)
      #expect(update["counts"]?.contains("<dt>Foreground, active</dt><dd>1</dd>") == true)
      #expect(second.id != first.id)
    }
  }

  @Test func `all sessions are counted and some are shown`() async throws {
    var settings = DashboardSettings()
    settings.cardLimit = 4
    try await DashboardStage.run(settings) { stage in
      for number in 0..<7 { _ = try await stage.application.open("\(number)") }
      let scenes = try await stage.firstUpdate()["scenes"] ?? ""
      #expect(scenes.components(between: "<article", "</article>").count == 4)
      #expect(scenes.contains("7, 4 of them shown"))
    }
  }

  @Test func `a snapshot is shown if it is text, and described if it is none`() {
    #expect(SceneCard.text(ofSnapshot: nil) == nil)
    #expect(SceneCard.text(ofSnapshot: []) == nil)
    #expect(SceneCard.text(ofSnapshot: Array("two lamps".utf8)) == "two lamps")
    #expect(SceneCard.text(ofSnapshot: [0x89, 0x50, 0]) == "3 bytes, no text")
    // 399 letters, and a character of which one byte is left.
    let long = String(repeating: "a", count: 399) + "é" + "b"
    #expect(
      SceneCard.text(ofSnapshot: Array(long.utf8)) == String(repeating: "a", count: 399) + "…")
  }

  @Test func `every field and every button of the page has a name`() {
    let page = DashboardPage(title: "A & B", canAct: true, actionLimit: 10).html
    #expect(page.contains("<h1>A &amp; B</h1>"))
    for input in page.components(between: "<input id=\"", "\"") {
      #expect(page.contains("<label for=\"\(input)\">"))
    }
    #expect(page.components(between: "<input id=\"", "\"").count == 3)
    #expect(!page.contains("<button></button>"))
    for name in ["counts", "charts", "scenes", "events"] {
      #expect(page.contains("<div id=\"db-\(name)\"></div>"))
    }
  }
}

extension String {
  /// What is between two texts, each time.
  fileprivate func components(between start: String, _ end: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let first = rest.firstRange(of: start) {
      rest = rest[first.upperBound...]
      guard let last = rest.firstRange(of: end) else { break }
      parts.append(String(rest[..<last.lowerBound]))
      rest = rest[last.upperBound...]
    }
    return parts
  }
}
