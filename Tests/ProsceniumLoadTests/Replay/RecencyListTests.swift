// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import ProsceniumLoad
import Testing

@Suite struct RecencyListTests {
  @Test func `the oldest element is the one used longest ago`() {
    var list = RecencyList<String>()
    #expect(list.oldest == nil)
    for (time, element) in ["a", "b", "c", "a", "d", "b"].enumerated() {
      list.use(element, at: Int64(time))
    }
    #expect(list.count == 4)
    var order: [String] = []
    while let oldest = list.oldest {
      order.append("\(oldest.element)\(oldest.time)")
      list.remove(oldest.element)
    }
    #expect(order == ["c2", "a3", "d4", "b5"])
    #expect(list.count == 0)
  }

  @Test func `removing what is not there changes nothing`() {
    var list = RecencyList<Int>()
    list.use(1, at: 0)
    let removed = [list.remove(2), list.remove(1), list.remove(1)]
    #expect(removed == [false, true, false])
    #expect(!list.contains(1))
  }

  @Test func `random uses and removals agree with an array`() {
    var random = SplitMix64(seed: 9)
    var list = RecencyList<Int>()
    var array: [Int] = []
    for step in 0..<20_000 {
      let element = random.number(below: 40)
      let wasThere = array.contains(element)
      array.removeAll { $0 == element }
      if random.happens(perThousand: 400) {
        let wasRemoved = list.remove(element)
        #expect(wasRemoved == wasThere)
      } else {
        array.append(element)
        list.use(element, at: Int64(step))
      }
      #expect(list.oldest?.element == array.first)
      #expect(list.count == array.count)
    }
  }
}
