// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

extension RuntimeMeasurement {
  /// The floor of a delivery: the same 32 bytes through bare FIFOs behind locks, to plain objects.
  ///
  /// What a runtime adds to it are identifiers, the scenes' isolation, and everything that can
  /// happen to a scene in between.
  func measureFloor(_ stopwatch: Stopwatch) async {
    let floor = FloorFIFOs(fifos: shards, targets: scenes)
    let result = await stopwatch.measure("floor: bare FIFO to an object", messages * 2) {
      await withDiscardingTaskGroup { group in
        for producer in 0..<2 {
          group.addTask {
            var random = SplitMix64(seed: UInt64(producer))
            for _ in 0..<messages { floor.post(to: random.number(below: scenes)) }
          }
        }
      }
      floor.drainAll()
    }
    report(result)
  }
}

/// FIFOs of (target, 32 bytes), each drained by whoever finds it full.
private final class FloorFIFOs: Sendable {
  private struct Item: Sendable {
    let target: Int32
    let words: (UInt64, UInt64, UInt64, UInt64)
  }

  private final class Target: Sendable {
    let sum = Atomic<UInt64>(0)
  }

  private final class FIFO: Sendable {
    let items = Mutex<[Item]>([])
  }

  private let fifos: [FIFO]
  private let targets: [Target]

  init(fifos: Int, targets: Int) {
    self.fifos = (0..<fifos).map { _ in FIFO() }
    self.targets = (0..<targets).map { _ in Target() }
  }

  func post(to target: Int) {
    let fifo = fifos[target % fifos.count]
    let isFull = fifo.items.withLock { items in
      items.append(Item(target: Int32(target), words: (7, 7, 7, 7)))
      return items.count >= 1024
    }
    if isFull { drain(fifo) }
  }

  func drainAll() {
    for fifo in fifos { drain(fifo) }
  }

  private func drain(_ fifo: FIFO) {
    let batch = fifo.items.withLock { items in
      defer {
        items = []
        items.reserveCapacity(1024)
      }
      return items
    }
    for item in batch {
      targets[Int(item.target)].sum.wrappingAdd(item.words.0, ordering: .relaxed)
    }
  }
}
