// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLoad

@Suite struct BoundedQueueTests {
  @Test(arguments: [-1, 1, 3, 1_000])
  func `elements come out in the order in which they went in`(limit: Int) async {
    let queue = BoundedQueue<Int>(limit: limit)
    let received = await withTaskGroup(of: [Int].self) { group in
      group.addTask {
        var elements: [Int] = []
        while let element = await queue.next() { elements.append(element) }
        return elements
      }
      for element in 0..<500 { await queue.send(element) }
      await queue.finish()
      return await group.reduce([], +)
    }
    #expect(received == Array(0..<500))
  }

  @Test func `what was sent before the end is still received`() async {
    let queue = BoundedQueue<Int>(limit: 2)
    await queue.send(1)
    await queue.send(2)
    await queue.finish()
    #expect(await queue.next() == 1)
    #expect(await queue.next() == 2)
    #expect(await queue.next() == nil)
    #expect(await queue.next() == nil)
  }
}
