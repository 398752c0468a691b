// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

@Suite struct GramFilterTests {
  @Test func `it admits every gram that was entered, and few others`() {
    var random = SplitMix64(seed: 5)
    var retired = RetiredList<UInt>()
    let filter = GramFilter()
    let before = filter.view
    var tags: [UInt64] = []
    for capacity in [4, 64, 1_024] {
      filter.rebuild(capacity: capacity, { tags.forEach($0) }, &retired)
      let found = filter.capacity
      #expect(found == capacity)
      while tags.count < capacity {
        tags.append(random.next())
        filter.insert(tags[tags.count - 1])
      }
      let view = filter.view
      #expect(tags.allSatisfy { view.admits($0) })
    }
    let view = filter.view
    let others = (0..<10_000).count { _ in view.admits(random.next()) }
    #expect((300...1_000).contains(others))
    #expect(!tags.contains { before.admits($0) })
    retired.free()
  }
}
