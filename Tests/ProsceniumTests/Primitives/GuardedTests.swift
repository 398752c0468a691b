// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@Suite struct GuardedTests {
  private final class Counter: Sendable {
    let count = Guarded(0)
  }

  @Test func `what the body returns is returned, and its change stays`() {
    let guarded = Guarded([1])
    let count = guarded.withLock { values in
      values.append(2)
      return values.count
    }
    #expect(count == 2)
    #expect(guarded.withLock { $0 } == [1, 2])
  }

  @Test func `an error comes through and the lock is free again`() {
    struct Refusal: Error {}
    let guarded = Guarded(0)
    #expect(throws: Refusal.self) {
      try guarded.withLock { value in
        value = 1
        throw Refusal()
      }
    }
    #expect(guarded.withLock { $0 } == 1)
  }

  @Test func `tasks that change one value lose no change`() async {
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<5_000 { counter.count.withLock { $0 += 1 } }
        }
      }
    }
    #expect(counter.count.withLock { $0 } == 40_000)
  }
}
