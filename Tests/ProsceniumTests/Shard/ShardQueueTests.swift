// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// A shard's queue hands out what an array would, in parts.
struct ShardQueueTests {
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `items come out in their order, a part at a time`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let limit = Int.random(in: 1...5, using: &random)
    var queue = ShardQueue(passLimit: limit)
    var model: [Int32] = []
    var takes = 0
    for number in 0..<400 as Range<Int32> {
      switch Int.random(in: 0..<8, using: &random) {
      case 0...5:
        queue.append(ShardItem(slot: number, work: .visit))
        model.append(number)
      case 6 where number % 40 == 0:
        queue.removeAll { $0.slot.isMultiple(of: 3) }
        model.removeAll { $0.isMultiple(of: 3) }
      default:
        var batch: [ShardItem] = []
        takes += model.isEmpty ? 0 : 1
        let passes = queue.take(into: &batch)
        #expect(passes == queue.passes)
        #expect(batch.count <= limit && batch.isEmpty == model.isEmpty)
        #expect(batch.map(\.slot) == Array(model.prefix(batch.count)))
        model.removeFirst(batch.count)
      }
      #expect(queue.items.map(\.slot) == model && queue.count == model.count)
      #expect(queue.isEmpty == model.isEmpty && queue.takes == takes)
    }
    for left in stride(from: queue.passes - 1, through: 0, by: -1) {
      var batch: [ShardItem] = []
      #expect(queue.take(into: &batch) == left)
    }
    #expect(queue.isEmpty)
  }
}
