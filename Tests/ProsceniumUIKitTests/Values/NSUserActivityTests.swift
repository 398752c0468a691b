// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import Testing

@testable import ProsceniumUIKit

@MainActor struct NSUserActivityTests {
  @Test func `an activity holds what it is given`() {
    let activity = NSUserActivity(activityType: "a.show")
    activity.title = "A"
    activity.targetContentIdentifier = "a"
    activity.webpageURL = URL(string: "https://a.example/a")
    activity.userInfo = ["n": 1]
    activity.addUserInfoEntries(from: ["m": "x"])
    activity.requiredUserInfoKeys = ["n"]
    activity.needsSave = true

    #expect(activity.activityType == "a.show")
    #expect(activity.userInfo?["n"] as? Int == 1)
    #expect(activity.userInfo?["m"] as? String == "x")
    #expect(activity.value.targetContentIdentifier == "a")
    #expect(activity.value.webpageURL == "https://a.example/a")
    #expect(activity.requiredUserInfoKeys == ["n"])
    #expect(activity.needsSave)
  }

  @Test func `a mutable copy of a quick action can be changed`() throws {
    let item = UIApplicationShortcutItem(type: "a", localizedTitle: "A")
    let copy = try #require(item.mutableCopy() as? UIMutableApplicationShortcutItem)
    copy.targetContentIdentifier = "a/1"

    #expect(copy.value.targetContentIdentifier == "a/1")
    #expect(item.value.targetContentIdentifier == nil)
    let fixed = copy.copy() as? UIApplicationShortcutItem
    #expect(fixed?.targetContentIdentifier as? String == "a/1")
  }
}
