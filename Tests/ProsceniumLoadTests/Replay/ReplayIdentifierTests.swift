// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumLoad
import Testing

@Suite struct ReplayIdentifierTests {
  @Test(
    arguments: [
      ("/index.html", "u17/index.html"),
      ("/", "u17/"),
      ("//x", "u17//x"),
      ("*", "u17/*"),
      ("http://h/x", "u17/http://h/x"),
      ("/a b\"c\\d", "u17/a%20b%22c%5Cd"),
      ("/é", "u17/%C3%A9"),
      ("/e\u{301}", "u17/e%CC%81"),
      ("/a%20b", "u17/a%20b"),
      ("/\u{0}\u{7F}", "u17/%00%7F"),
    ])
  func `the path follows the user's name`(_ path: String, _ text: String) {
    let identifier = ReplayIdentifier(user: ReplayUser(number: 17), path: path)
    #expect(identifier.description.utf8.elementsEqual(text.utf8))
    #expect(
      identifier.description.hasPrefix(ReplayIdentifier.prefix(of: ReplayUser(number: 17))))
  }

  @Test func `a long path is cut and stays different from others`() {
    let limit = ReplayIdentifier.tabByteLimit
    let fitting = String(repeating: "x", count: limit)
    #expect(ReplayIdentifier.tab(forPath: "/" + fitting) == fitting)
    let beginning = "/" + String(repeating: "é", count: 1_000)
    let first = ReplayIdentifier.tab(forPath: beginning + "1")
    let second = ReplayIdentifier.tab(forPath: beginning + "2")
    #expect(first.utf8.count == limit)
    #expect(second.utf8.count == limit)
    #expect(first != second)
    #expect(first == ReplayIdentifier.tab(forPath: beginning + "1"))
    #expect(first.hasPrefix("%C3%A9%C3"))
  }

  @Test func `users are numbered as they appear`() {
    var users = ReplayUsers()
    let line = { (client: String, agent: String?) in
      AccessLogLine(client: client, time: 0, path: "/", userAgent: agent)
    }
    #expect(users.user(of: line("a", "x")).description == "u1")
    #expect(users.user(of: line("a", "y")).description == "u2")
    #expect(users.user(of: line("a", nil)).description == "u3")
    #expect(users.user(of: line("b", "x")).description == "u4")
    #expect(users.user(of: line("a", "x")).description == "u1")
    #expect(users.count == 4)
  }
}
