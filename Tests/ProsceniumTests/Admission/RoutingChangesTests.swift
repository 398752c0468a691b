// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

struct RoutingChangesTests {
  @Test func `a change is seen by whoever looked before it or while it was under way`() {
    let changes = RoutingChanges()
    let before = changes.completedCount
    let isQuietAtFirst = changes.none(since: before)
    changes.begin()
    let during = changes.completedCount
    let isQuietMeanwhile = changes.none(since: before) || changes.none(since: during)
    changes.complete()
    let isUnseen = changes.none(since: before) || changes.none(since: during)
    let isQuietAfterwards = changes.none(since: changes.completedCount)
    #expect(isQuietAtFirst && !isQuietMeanwhile && !isUnseen && isQuietAfterwards)
  }

  @Test func `one of two that overlap is seen when the other is complete`() {
    let changes = RoutingChanges()
    changes.begin()
    changes.begin()
    changes.complete()
    let isQuietTooEarly = changes.none(since: changes.completedCount)
    changes.complete()
    let isQuiet = changes.none(since: changes.completedCount)
    #expect(!isQuietTooEarly && isQuiet)
  }
}
