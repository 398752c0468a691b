// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@Suite struct UserActivityTests {
  @Test func `an activity takes one word`() {
    #expect(MemoryLayout<UserActivity>.size == 8)
    #expect(MemoryLayout<UserActivity?>.size == 8)
  }

  @Test func `an activity keeps what it was made of`() {
    let activity = UserActivity(
      "editor", title: "Notes", userInfo: ["text": "draft", "cursor": 5],
      targetContentIdentifier: "notes/1", webpageURL: "https://example.com/notes/1")
    #expect(activity.activityType == "editor")
    #expect(activity.title == "Notes")
    #expect(activity.userInfo == ["text": .string("draft"), "cursor": .integer(5)])
    #expect(activity.targetContentIdentifier == "notes/1")
    #expect(activity.webpageURL == "https://example.com/notes/1")
  }

  @Test func `only the type is needed`() {
    let activity = UserActivity("editor")
    #expect(activity.title == nil)
    #expect(activity.userInfo.isEmpty)
    #expect(activity.targetContentIdentifier == nil)
    #expect(activity.webpageURL == nil)
  }

  @Test func `a change to a copy leaves the original as it was`() {
    let original = UserActivity("editor", userInfo: ["a": 1])
    var copy = original
    #expect(copy == original)
    copy.title = "T"
    copy.userInfo["b"] = 2
    copy.userInfo["a"] = nil
    copy.targetContentIdentifier = "t"
    copy.webpageURL = "u"
    #expect(original == UserActivity("editor", userInfo: ["a": 1]))
    let expected = UserActivity(
      "editor", title: "T", userInfo: ["b": 2], targetContentIdentifier: "t", webpageURL: "u")
    #expect(copy == expected)
    #expect(copy.hashValue == expected.hashValue)
  }

  @Test func `every property makes activities differ`() {
    let distinct = [
      UserActivity("a"), UserActivity("b"), UserActivity("a", title: ""),
      UserActivity("a", title: "t"), UserActivity("a", userInfo: ["k": 1]),
      UserActivity("a", userInfo: ["k": 1.0]), UserActivity("a", targetContentIdentifier: ""),
      UserActivity("a", targetContentIdentifier: "t"), UserActivity("a", webpageURL: ""),
      UserActivity("a", webpageURL: "t"),
      // Routing tells these apart, so equality does.
      UserActivity("a", targetContentIdentifier: "\u{E9}"),
      UserActivity("a", targetContentIdentifier: "e\u{301}"),
      UserActivity("a", webpageURL: "\u{E9}"), UserActivity("a", webpageURL: "e\u{301}"),
    ]
    #expect(Set(distinct + distinct).count == distinct.count)
  }

  static let identifiers: [(target: String?, url: String?, expected: String?)] = [
    (nil, nil, nil), ("t", nil, "t"), (nil, "u", "u"), ("t", "u", "t"), ("", "u", ""),
    (nil, "", ""),
  ]

  @Test(arguments: identifiers)
  func `routing takes the target, else the URL`(target: String?, url: String?, expected: String?) {
    let activity = UserActivity("a", targetContentIdentifier: target, webpageURL: url)
    #expect(activity.routingIdentifier == expected)
  }
}
