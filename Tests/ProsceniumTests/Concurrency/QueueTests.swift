// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// A queue and a heap do what an array does that is searched and sorted.
struct QueueTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a queue hands out what came first, and what was put in front before it`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var queue = Queue<Int>()
    var model: [Int] = []
    for number in 0..<400 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0...2:
        queue.append(number)
        model.append(number)
      case 3:
        queue.prepend(number)
        model.insert(number, at: 0)
      case 4 where number % 50 == 0:
        queue.removeAll { $0.isMultiple(of: 3) }
        model.removeAll { $0.isMultiple(of: 3) }
      default: #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(queue.elements == model && queue.first == model.first)
      #expect(queue.isEmpty == model.isEmpty)
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a heap hands out the least first`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let first = (0..<Int(seed)).map { _ in Int.random(in: 0..<100, using: &random) }
    var heap = BinaryHeap(first)
    var model = first.sorted()
    for _ in 0..<400 {
      if model.isEmpty || Bool.random(using: &random) {
        let number = Int.random(in: 0..<100, using: &random)
        heap.insert(number)
        model.append(number)
        model.sort()
      } else {
        #expect(heap.removeMin() == model.removeFirst())
      }
      #expect(heap.min == model.first && heap.count == model.count)
      #expect(heap.isEmpty == model.isEmpty)
    }
  }
}
