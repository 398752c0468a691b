// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Synchronization
import Testing

@testable import Proscenium

/// How much a shard runs before others have their turn.
struct ShardPassTests {
  private static let one = SessionIdentifier.number(1)
  private static let count = 3_000

  /// How many messages came, each in its place.
  private final class Seen: Sendable {
    let count = Atomic<Int>(0)
    let outOfOrder = Atomic<Int>(0)

    func see(_ message: SceneMessage) {
      let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
      if message.string != "\(number)" { outOfOrder.wrappingAdd(1, ordering: .relaxed) }
    }
  }

  private final class CountingDelegate: SceneDelegate {
    private let seen: Seen

    init(_ seen: Seen) {
      self.seen = seen
    }

    func scene(_ scene: isolated Scene, didReceive message: SceneMessage) { seen.see(message) }
  }

  /// Sends messages at once, and notes how many each step of the executor has delivered.
  private static func steps(
    _ seed: UInt64, _ seen: Seen, _ wait: @escaping @Sendable (Application) async -> Void
  ) throws -> [Int] {
    let executor = SeededExecutor(seed: seed)
    let stage = Stage(
      store: InMemorySessionStore([.number(1)]),
      manifest: [SceneConfiguration("Main") { CountingDelegate(seen) }]
    ) {
      $0.taskExecutor = executor
      $0.clock = executor.clock
      $0.shards = 1
      $0.eventLimit = count
    }
    var steps: [Int] = []
    var before = 0
    try executor.run(
      steps: 100_000,
      afterEach: { _ in
        let now = seen.count.load(ordering: .relaxed)
        steps.append(now - before)
        before = now
      }
    ) {
      try await stage.play { application in
        try await application.host.perform(.open(one))
        for number in 0..<count { try application.send(SceneMessage("\(number)"), to: one) }
        await wait(application)
      }
    }
    return steps.filter { $0 > 0 }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `a pass of the shard's own task has its limit`(
    seed: UInt64
  ) throws {
    let seen = Seen()
    let steps = try Self.steps(seed, seen) { _ in
      while seen.count.load(ordering: .relaxed) < Self.count { await Task.yield() }
    }
    let limit = ShardQueue.passLimit
    #expect(steps == [limit, limit, Self.count - 2 * limit])
    #expect(seen.outOfOrder.load(ordering: .relaxed) == 0)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `a caller that drains a shard has everything run that was queued before`(
    seed: UInt64
  ) throws {
    let seen = Seen()
    let steps = try Self.steps(seed, seen) { application in
      await application.shards[0].drain()
      #expect(seen.count.load(ordering: .relaxed) == Self.count)
    }
    #expect(steps.reduce(0, +) == Self.count)
    #expect(seen.outOfOrder.load(ordering: .relaxed) == 0)
  }
}
