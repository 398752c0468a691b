// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization
import Testing

@Suite struct ApartTests {
  private final class Witness: Sendable {
    let ends = Atomic<Int>(0)
  }

  private struct Value: ~Copyable {
    let witness: Witness
    let number = Atomic<Int>(1)

    deinit { witness.ends.wrappingAdd(1, ordering: .relaxed) }
  }

  @Test func `a value apart is changed in place, and ends once with its owner`() {
    let witness = Witness()
    do {
      let apart = Apart(Value(witness: witness))
      #expect(apart.value.number.wrappingAdd(2, ordering: .relaxed).newValue == 3)
      #expect(apart.value.number.load(ordering: .relaxed) == 3)
      #expect(witness.ends.load(ordering: .relaxed) == 0)
    }
    #expect(witness.ends.load(ordering: .relaxed) == 1)
  }

  @Test func `what lies apart shares its cache lines with nothing`() {
    let values = (0..<64).map { _ in Cell() }
    let addresses = values.map { cell in
      cell.apart.withLock { number in
        unsafe withUnsafePointer(to: &number) { UInt(bitPattern: $0) }
      }
    }
    .sorted()
    for (address, next) in zip(addresses, addresses.dropFirst()) {
      #expect(next / 128 > address / 128)
    }
  }

  private final class Cell: Sendable {
    let apart = Apart(guarding: 0)
  }

  @Test func `one at a time is behind the lock`() async {
    let cell = Cell()
    await withTaskGroup { group in
      for _ in 0..<8 {
        // Each counts by itself, so that lost counts show.
        group.addTask {
          for _ in 0..<1_000 { cell.apart.withLock { $0 += 1 } }
        }
      }
    }
    #expect(cell.apart.withLock(\.self) == 8_000)
  }
}
