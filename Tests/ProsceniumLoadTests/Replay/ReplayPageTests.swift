// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumLoad

@Suite struct ReplayPageTests {
  private static let session = SessionIdentifier(high: 7, low: 9)
  private static let state = ReplayStateSummary(
    requests: 3, bytes: 4_711, linesDigest: 1, tabsDigest: .max)

  private func page(_ entries: Int, at place: ReplayPage.Place? = nil) -> ReplayPage {
    var page = ReplayPage(windows: 8, tabs: 3)
    for number in 0..<entries {
      page.append(
        number % 3 == 2
          ? .destroyed(Self.session, before: number, Self.state)
          : .saw(Self.session, line: number + 1),
        at: place)
    }
    return page
  }

  @Test(arguments: [0, 1, 3, ReplayPage.entryLimit])
  func `a text gives back its page`(entries: Int) throws {
    let place = ReplayPage.Place(line: 5, log: ReplayDigest(value: 77))
    for page in [page(entries), page(entries, at: place)] {
      #expect(try #require(ReplayPage(page.description)) == page)
      #expect(page.description.utf8.count < SceneMessage.sizeLimit)
    }
  }

  @Test func `the text is plain`() {
    #expect(
      page(3, at: ReplayPage.Place(line: 2, log: ReplayDigest(value: 10))).description
        == """
        replay windows 8 tabs 3
        read 2 000000000000000a
        saw 1 00000000-0000-0007-0000-000000000009
        saw 2 00000000-0000-0007-0000-000000000009
        destroyed 2 00000000-0000-0007-0000-000000000009 3 4711 0000000000000001 ffffffffffffffff
        """)
  }

  @Test func `the place is that of the last line whose sum is known`() {
    var page = ReplayPage(windows: 1, tabs: 1)
    for (line, log) in [(3, 3), (9, 9), (5, 5)] as [(Int, UInt64)] {
      page.append(
        .saw(Self.session, line: line), at: .init(line: line, log: ReplayDigest(value: log)))
    }
    page.append(.saw(Self.session, line: 12), at: nil)
    #expect(page.place == ReplayPage.Place(line: 9, log: ReplayDigest(value: 9)))
  }

  @Test(
    arguments: [
      "", "replay", "replay windows 8 tabs", "replay windows x tabs 8", "other windows 8 tabs 8",
      "replay windows 8 tabs 8\n", "replay windows 8 tabs 8\nread 1 2",
      "replay windows 8 tabs 8\nsaw",
      "replay windows 8 tabs 8\nsaw x \(session)", "replay windows 8 tabs 8\nsaw 1 x",
      "replay windows 8 tabs 8\nsaw 01 \(session)", "replay windows 8 tabs 8\nsaw 1 \(session) 2",
      "replay windows 8 tabs 8\ndestroyed 1 \(session) 1 2 3 4",
      "replay windows 8 tabs 8\ndestroyed 1 \(session)",
    ])
  func `another text is no page`(text: String) {
    #expect(ReplayPage(text) == nil)
  }

  @Test func `too many entries are no page`() {
    #expect(ReplayPage(page(ReplayPage.entryLimit + 1).description) == nil)
  }
}
